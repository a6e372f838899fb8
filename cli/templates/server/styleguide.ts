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

const route = createStyleguideRoute({
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
        h('link', { rel: 'stylesheet', href: '/sitewright/theme.css' }),
        h('script', { src: '/sitewright/styleguide.js' }),
      ),
      h('body', null, h(StyleguidePage, view)),
    )
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }
    return new Response(await renderToReadableStream(page), { headers })
  },
})

/** The colors and fonts of the styleguide's own frame. */
const theme = `:root {
  /* --sw-bg: white; --sw-text: black; --sw-accent: blue; --sw-sans: sans-serif; */
}`

export const styleguide: typeof route = async (request) => {
  if (new URL(request.url).pathname !== '/sitewright/theme.css') return route(request)
  return new Response(theme, { headers: { 'Content-Type': 'text/css; charset=utf-8' } })
}
