import { readFile } from 'node:fs'
import compression from 'compression'
import express from 'express'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { expressMiddleware, inFrontOf } from 'sitewright/express'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

// Your app, as before. Only the header is new: it says for how long the page may be stored.
const app = express()
app.set('view engine', 'html')
app.engine('html', (file, options, done) => {
  // In place of your template engine.
  const { title = '' } = /** @type {{ title?: string }} */ (options)
  readFile(file, 'utf8', (error, text) => done(error, text?.replace('{{title}}', title)))
})

const forAll = { 'Cache-Control': 'public, max-age=0, s-maxage=86400' }
const articles = new Map([['first-light', 'First light']]) // in place of your CMS

app.get('/', (_request, response) => {
  response.set(forAll).render('index', { title: `Rendered at ${new Date().toISOString()}` })
})
app.get('/articles/:slug', (request, response, next) => {
  const title = articles.get(request.params.slug)
  if (title === undefined) next()
  else response.set(forAll).render('index', { title })
})

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: cache.invalidate,
})

// In front of it: compression, the endpoint, then the cache.
const server = express()
server.use(compression(), expressMiddleware(revalidate), inFrontOf(cache, app))
server.listen(process.env.PORT ?? 3000)
