import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import {
  createLlmsTxt,
  createMarkdown,
  markdownLink,
  negotiateMarkdown,
} from 'sitewright/localized-pages'
import { cache, routes } from './routes.js'

const text = 'Boats are *patient*.'
const headers = { 'Cache-Control': 'public, max-age=0, s-maxage=86400' }

const markdown = createMarkdown(routes, (page) =>
  page.slug.length === 0 ? undefined : new Response(`# Boats\n\n${text}`, { headers }),
)
const llmsTxt = createLlmsTxt({
  routes,
  origin: 'https://www.example.com',
  title: 'Boats',
  summary: 'A journal of harbors.',
  pages: () => [{ path: '/articles/boats', title: 'Boats', summary: 'On patience.' }],
})
const html = routes.handler(({ path }) => {
  const ownHeaders = { ...headers, 'Content-Type': 'text/html', Link: markdownLink(path) }
  return new Response('<h1>Boats</h1><p>Boats are <em>patient</em>.</p>', {
    headers: ownHeaders,
  })
})

const pages = cache.wrap(
  async (request) => (await markdown(request)) ?? (await llmsTxt(request)) ?? html(request),
)
export const app = new Hono().use(honoMiddleware(negotiateMarkdown(pages)))
