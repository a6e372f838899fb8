import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { verifySanity } from 'sitewright/webhooks'

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })

export const revalidate = createRevalidateEndpoint({
  verify: verifySanity({ secret: process.env.SANITY_WEBHOOK_SECRET ?? '' }),
  // Which pages a publication concerns; an empty list: none.
  getTags: (payload) =>
    (payload as { _type?: string })._type === 'menu' ? ['menu'] : ['document'],
  invalidate: cache.invalidate,
})
