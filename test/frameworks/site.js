// What a recipe mounts: pictures, the cache of pages, and its revalidation.
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createImageLoader, createImageProxy, imageSrcSet } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { createImageService } from 'sitewright/sharp'

const sources = ['/media/']
const key = { key: '736563726574', salt: '68656c6c6f' }
const service = createImageService({ keys: [key], sources: { '/media/': process.env.MEDIA ?? './media' } })

export const images = createImageProxy({ ...key, serviceUrl: 'http://images', fetch: service, sources })
export const pages = createResponseCache({ store: memoryStore({ maxBytes: 10_000_000 }), tags: ['document'] })
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET ?? '',
  invalidate: pages.invalidate,
})

const loader = createImageLoader({ sources })
export const { src } = imageSrcSet({ loader, src: '/media/march-pastoral.jpg', width: 640 })

/** A page for a minute, with the time of its render: the one that a test compares. */
export const cacheControl = 's-maxage=60'
export const renderedAt = () => `at ${performance.now()}`
