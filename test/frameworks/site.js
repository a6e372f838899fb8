// What a recipe mounts: images, the cache of pages, and the revalidation of both.
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { sharpService } from 'sitewright/sharp'

// Astro and Nuxt have pictures of their own at `/_image` and `/_ipx`.
export const images = createImages({
  prefix: '/_img',
  sources: { '/media/': process.env.MEDIA ?? './media' },
  service: sharpService(),
})
export const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  images,
  invalidate: cache.invalidate,
})

export const { src } = images.srcSet({ src: '/media/march-pastoral.jpg', width: 640 })

/** A page for a minute, with the time of its render: the one that a test compares. */
export const cacheControl = 's-maxage=60'
export const renderedAt = () => `at ${performance.now()}`
