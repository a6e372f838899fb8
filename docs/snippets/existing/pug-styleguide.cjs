const { readFileSync } = require('node:fs')
const { compileFile } = require('pug')
const { createElement: h } = require('react')
const { renderToReadableStream } = require('react-dom/server')
const { ColorPage, componentPage, StyleguidePage } = require('sitewright/react/styleguide')
const { createStyleguideRoute, fromCssVariables } = require('sitewright/styleguide')

const { colors } = fromCssVariables(readFileSync('public/site.css', 'utf8'))
const card = compileFile('views/card.pug')

const tree = {
  title: 'Styleguide',
  pages: [
    { title: 'Colors', content: h(ColorPage, { colors }) },
    componentPage({
      title: 'Card',
      scheme: 'light', // Bootstrap's dark mode is an attribute
      stylesheets: ['/bootstrap.css', '/site.css'], // in the frames
      variants: [{ title: 'Plain', html: card({ title: 'First light', href: '/' }) }],
    }),
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
    h('script', { src: '/sitewright/styleguide.js' }),
  )

exports.styleguide = createStyleguideRoute({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async (view) => {
    const body = h('body', null, h(StyleguidePage, view))
    const page = h('html', { lang: 'en' }, head(view.match?.page.title), body)
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
    }
    return new Response(await renderToReadableStream(page), { headers })
  },
})
