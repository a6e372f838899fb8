import { createResponseCache, memoryStore, memoryTagIndex } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { sharpService } from 'sitewright/sharp'
import { verifyContentful } from 'sitewright/webhooks'

interface Payload {
  sys?: { type?: string }
  fields?: { file?: Record<string, { url?: string }> }
}

const tagIndex = memoryTagIndex()
const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  tagIndex,
})
const sources = { 'https://images.ctfassets.net/': true } as const

export const images = createImages({ sources, service: sharpService(), tagIndex })

export const revalidate = createRevalidateEndpoint({
  verify: verifyContentful({ secret: process.env.CONTENTFUL_WEBHOOK_SECRET ?? '' }),
  images,
  getTags(payload) {
    const { sys, fields } = payload as Payload
    if (sys?.type !== 'Asset') return ['document']
    // Contentful's URLs have no protocol: '//images.ctfassets.net/…'
    const tags = Object.values(fields?.file ?? {}).map(({ url }) =>
      images.tagOf(`https:${url}`),
    )
    return tags.filter((tag) => tag !== undefined)
  },
  invalidate: cache.invalidate,
})
