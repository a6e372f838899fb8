// A small site on every feature, by Web APIs alone: each runtime serves it.
import { Hono } from 'hono'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'
import { honoMiddleware } from 'sitewright/hono'
import { createImages } from 'sitewright/image'
import { StyleguidePage } from 'sitewright/react/styleguide'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { createStyleguideRoute } from 'sitewright/styleguide'

const secret = 'between-us-and-no-one-else'
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
const entry = 'https://cms.test/entries/7'
/** @type {import('sitewright/content').ContentSource} */
const source = { tagsOfAnswer: ({ json }) => [`entry:${/** @type {any} */ (json).id}`], tagsOfPayload: () => undefined }
const tree = { title: 'Silver', content: 'All about silver', pages: [{ title: 'Salt', content: 'All about salt' }] }

/**
 * @typedef {object} Options
 * @property {import('sitewright/image').ImagesOptions} images
 * @property {import('sitewright/cache').Store} [store]
 * @property {(render: Promise<unknown>) => void} [waitUntil]
 *
 * @param {Options} options
 */
export function createSite({ images, store = memoryStore({ maxBytes: 1_000_000 }), waitUntil }) {
  let renders = 0
  /** @param {Request} request */
  const renderPage = async (request) => {
    if (!new URL(request.url).pathname.startsWith('/page')) return undefined
    const number = ++renders
    await pause()
    const kind = request.headers.get('cookie') ? 'draft' : 'page'
    return new Response(`${kind} ${number}`, { headers: { 'Cache-Control': 's-maxage=600' } })
  }
  const pages = createResponseCache({
    store,
    tags: ['document'],
    bypass: (request) => /(^|; )preview=1/.test(request.headers.get('cookie') ?? ''),
    waitUntil,
  })
  const content = createContentTags({ sources: [source], fetch: async () => Response.json({ id: 7 }) })
  const entries = createResponseCache({ store, content })
  const renderEntry = entries.wrap(async () => {
    const { id } = await (await content.fetch(entry)).json()
    return new Response(`entry ${id}`, { headers: { 'Cache-Control': 's-maxage=600' } })
  })
  /** For platforms that do not know which render is under way. */
  const collectEntry = async () => {
    const { value, tags } = await content.collect(async (reads) => (await reads.fetch(entry)).text())
    return new Response(value, { headers: { 'Cache-Tag': tags.join() } })
  }
  const softly = (/** @type {string[]} */ tags) => pages.invalidate(tags, { mode: 'soft' })
  const styleguide = createStyleguideRoute({
    tree,
    enabled: true,
    render({ slug, prefix, error }) {
      const page = createElement(StyleguidePage, { tree, slug, prefix, error })
      return new Response(renderToStaticMarkup(page), { headers: { 'Content-Type': 'text/html' } })
    },
  })
  return new Hono()
    .get('/entry', ({ req }) => renderEntry(req.raw))
    .get('/collected', collectEntry)
    .use(honoMiddleware(createImages(images).handler))
    .use(honoMiddleware(createRevalidateEndpoint({ secret, invalidate: pages.invalidate })))
    .use(honoMiddleware(createRevalidateEndpoint({ secret, invalidate: softly, path: '/api/refresh' })))
    .use(honoMiddleware(styleguide))
    .use(honoMiddleware(pages.wrap(renderPage)))
}
