import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { sharpService } from 'sitewright/sharp'

export const images = createImages({ sources: { '/media/': process.env.MEDIA }, service: sharpService() })
export const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  images,
  invalidate: cache.invalidate,
  allowTags: true,
  tags: ['document', 'names'],
})
