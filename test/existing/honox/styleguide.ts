import { createElement as h } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { ColorPage, StyleguidePage, type StyleguideTree } from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

const { colors } = fromCssVariables(':root { --color-navy: #000080 }')
const tree: StyleguideTree = { title: 'Tides', pages: [{ title: 'Colors', content: h(ColorPage, { colors }) }] }
const head = h('link', { rel: 'stylesheet', href: '/sitewright/styleguide.css' })
export const styleguide = createStyleguideRoute({
  tree,
  enabled: true,
  render: async (view) => {
    const page = h('html', { lang: 'en' }, h('head', null, head), h('body', null, h(StyleguidePage, view)))
    return new Response(await renderToReadableStream(page), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
  },
})
