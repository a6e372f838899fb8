import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })

export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: (tags) => cache.invalidate(tags),
})

export const pages = cache.wrap(async (request) => {
  const headers = { 'Content-Type': 'text/html', 'Cache-Control': 'public, s-maxage=86400' }
  return new Response(
    `<h1>${new URL(request.url).pathname}</h1><p>Rendered ${performance.now()}</p>`,
    { headers },
  )
})
