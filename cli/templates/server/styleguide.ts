import { createElement as h } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

// Put your own colors here: CSS with custom properties, or see fromTailwind4 and fromDesignTokens.
const colors = fromCssVariables(
  ':root { --color-ink: #1d2b36; --color-paper: #f6f1e7; --color-accent: #b3412e }',
).colors

const tree = {
  title: 'Styleguide',
  content: h('div', null, 'How this site looks.'),
  pages: [{ title: 'Colors', content: h('div', null, h(ColorPage, { colors })) }],
}

export const styleguide = createStyleguideRoute({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async ({ match, slug, prefix, error }) => {
    const page = h(
      'html',
      { lang: 'en' },
      h(
        'head',
        null,
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('title', null, match?.page.title ?? 'Page not found'),
        h('link', { rel: 'stylesheet', href: '/sitewright/styleguide.css' }),
        h('script', { src: '/sitewright/styleguide.js' }),
      ),
      h('body', null, h(StyleguidePage, { tree, slug, prefix, error })),
    )
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
    return new Response(await renderToReadableStream(page), { headers })
  },
})
