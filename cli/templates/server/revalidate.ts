import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { images } from './images.js'

/** Caches rendered pages until they are purged: `pages.wrap(async (request) => new Response(…))`. */
export const pages = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })

/** `POST /api/revalidate` purges the pages; with `?path=/media/cat.jpg`, that picture. */
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: (tags) => pages.invalidate(tags),
  images,
})
