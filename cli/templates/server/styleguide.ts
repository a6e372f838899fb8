import { readFileSync } from 'node:fs'
import { createElement as h } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { ColorPage, StyleguidePage, type StyleguideTree, TypographyPage } from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

/** Reads the site's stylesheet when the styleguide is first opened. The guide names pages for more than colors and type. */
const createTree = async (): Promise<StyleguideTree> => {
  const { colors, typography } = fromCssVariables(readFileSync('src/site.css', 'utf8'))
  return {
    title: 'Styleguide',
    pages: [
      { title: 'Colors', content: h(ColorPage, { colors }) },
      { title: 'Typography', content: h(TypographyPage, { typography }) },
    ],
  }
}

export const styleguide = createStyleguideRoute({
  tree: createTree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async (view) => {
    const page = h(
      'html',
      { lang: 'en' },
      h(
        'head',
        null,
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('title', null, view.match?.page.title ?? 'Page not found'),
        h('link', { rel: 'stylesheet', href: '/sitewright/styleguide.css' }),
        h('script', { src: '/sitewright/styleguide.js' }),
      ),
      h('body', null, h(StyleguidePage, view)),
    )
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
    return new Response(await renderToReadableStream(page), { headers })
  },
})
