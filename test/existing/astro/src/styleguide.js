import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { createElement as h } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { componentPage, StyleguidePage } from 'sitewright/react/styleguide'
import { createStyleguideRoute } from 'sitewright/styleguide'
import Button from './components/Button.astro'

const createTree = async () => {
  const container = await AstroContainer.create()
  const html = await container.renderToString(Button, { props: { quiet: true }, slots: { default: 'Read on' } })
  const variants = [{ title: 'Quiet', html, source: '<Button quiet>Read on</Button>' }]
  return { title: 'Styleguide', pages: [componentPage({ title: 'Button', variants, stylesheets: ['/site.css'] })] }
}

const head = h('link', { rel: 'stylesheet', href: '/sitewright/styleguide.css' })
export const styleguide = createStyleguideRoute({
  tree: createTree,
  enabled: true,
  render: async (view) => {
    const page = h('html', { lang: 'en' }, h('head', null, head), h('body', null, h(StyleguidePage, view)))
    return new Response(await renderToReadableStream(page), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
  },
})
