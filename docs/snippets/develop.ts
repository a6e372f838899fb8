import { createResponseCache, memoryStore } from 'sitewright/cache'

const isProduction = process.env.NODE_ENV === 'production'
const cacheControl = isProduction ? 'public, max-age=0, s-maxage=86400' : 'no-store'

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
export const pages = cache.wrap(() => {
  return new Response(`Rendered at ${new Date().toISOString()}`, {
    headers: { 'Cache-Control': cacheControl },
  })
})
