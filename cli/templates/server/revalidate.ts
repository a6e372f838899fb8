import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { images, tagIndex } from './images.js'

/**
 * Caches rendered pages for as long as their `Cache-Control` says, or until they are purged:
 * `cache.wrap(async (request) => new Response(…))`.
 */
export const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }), tagIndex })

/** `POST /api/revalidate` purges the pages; with `?path=/media/cat.jpg`, that picture. */
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: cache.invalidate,
  images,
})
