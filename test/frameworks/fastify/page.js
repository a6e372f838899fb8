import { cache, cacheControl, renderedAt, src } from '../site.js'

export const page = cache.wrap(async (request) => {
  if (new URL(request.url).pathname !== '/') return undefined
  const headers = { 'Cache-Control': cacheControl, 'Content-Type': 'text/html' }
  return new Response(`<p>${renderedAt()}</p><img src="${src}" alt="">`, { headers })
})
