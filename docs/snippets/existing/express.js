import { readFile } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { expressMiddleware } from 'sitewright/express'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: cache.invalidate,
})

const app = express()
app
  .set('views', fileURLToPath(new URL('views', import.meta.url)))
  .set('view engine', 'html')
app.engine('html', (file, /** @type {{ title?: string }} */ { title = '' }, done) => {
  // In place of your template engine.
  readFile(file, 'utf8', (error, text) => done(error, text?.replace('{{title}}', title)))
})

const articles = new Map([['first-light', 'First light']]) // in place of your CMS
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'public, max-age=0, s-maxage=86400',
}

/** Renders a view to a string, which `response.render` would send. */
const render = (/** @type {string} */ view, /** @type {object} */ data) =>
  new Promise((resolve, reject) =>
    app.render(view, data, (error, html) => (error ? reject(error) : resolve(html))),
  )

// Before: app.get('/', (request, response) => response.render('index', { title }))
const home = cache.wrap(async () => {
  const html = await render('index', { title: `Rendered at ${new Date().toISOString()}` })
  return new Response(html, { headers })
})

// Before: app.get('/articles/:slug', (request, response, next) => { … request.params.slug … })
const article = cache.wrap(async (request) => {
  const { pathname } = new URL(request.url)
  const slug = decodeURIComponent(pathname.replace(/^\/articles\//, ''))
  const title = articles.get(slug)
  if (title === undefined) return undefined // as `next()`: the app's own 404
  return new Response(await render('index', { title }), { headers })
})

app.use(expressMiddleware(revalidate))
app.get('/', expressMiddleware(home))
app.get('/articles/:slug', expressMiddleware(article))
app.listen(process.env.PORT ?? 3000)
