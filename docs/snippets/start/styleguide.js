import { createElement as h } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

const colors = fromCssVariables(':root { --color-paper: #f6f1e6; --color-ink: #241a13 }') // your stylesheet

/** @type {import('sitewright/react/styleguide').StyleguideTree} */
const tree = {
  title: 'Styleguide',
  content: 'How the site looks.',
  pages: [{ title: 'Colors', content: h(ColorPage, { colors, layout: 'grouped' }) }],
}

const head = h(
  'head',
  null,
  h('link', { rel: 'stylesheet', href: '/styleguide/styleguide.css' }),
  h('script', { src: '/styleguide/styleguide.js' }), // not deferred: it applies the color scheme before the first paint
)

export const styleguide = createStyleguideRoute({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async (view) => {
    const page = h(
      'html',
      { lang: 'en' },
      head,
      h('body', null, h(StyleguidePage, { ...view, tree })),
    )
    return new Response(await renderToReadableStream(page), {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
  },
})
