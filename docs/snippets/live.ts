import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })

export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: cache.invalidate,
  inspect: cache.inspect,
})
