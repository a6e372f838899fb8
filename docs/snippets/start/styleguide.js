import { createElement as h } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

const { colors } = fromCssVariables(
  ':root { --color-paper: #f6f1e6; --color-ink: #241a13 }',
) // your stylesheet

const tree = {
  title: 'Styleguide',
  content: h('p', null, 'How the site looks.'),
  pages: [
    {
      title: 'Colors',
      content: h('div', null, h(ColorPage, { colors })),
    },
  ],
}

const head = (title = 'Page not found') =>
  h(
    'head',
    null,
    h('meta', { charSet: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('title', null, title),
    h('link', { rel: 'stylesheet', href: '/sitewright/styleguide.css' }),
    // Not deferred: it applies the color scheme before the first paint.
    h('script', { src: '/sitewright/styleguide.js' }),
  )

export const styleguide = createStyleguideRoute({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async ({ match, slug, prefix, query, error }) => {
    const page = h(
      'html',
      { lang: 'en' },
      head(match?.page.title),
      h('body', null, h(StyleguidePage, { tree, slug, prefix, query, error })),
    )
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
    }
    return new Response(await renderToReadableStream(page), { headers })
  },
})
