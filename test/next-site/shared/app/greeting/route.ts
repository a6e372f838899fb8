import { createResponseCache, memoryStore } from 'sitewright/cache'
import { nextRoute } from 'sitewright/next'

const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })

/** Prints a cookie, although the response is marked as public. */
const greet = async (request: Request) => {
  const name = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'stranger'
  return new Response(`Hello, ${name}`, { headers: { 'Cache-Control': 'public, s-maxage=3600' } })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(cache.wrap(greet))
