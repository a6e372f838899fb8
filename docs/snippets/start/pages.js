import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { images, tagIndex } from './images.js'

const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  tagIndex,
})

export const pages = cache.wrap(async (request) => {
  const { pathname } = new URL(request.url)
  if (pathname !== '/') return undefined // the server's own 404
  const photo = images.srcSet({ src: '/media/black-canyon.jpg', width: 640 })
  const html = `<!doctype html><h1>Rendered at ${new Date().toISOString()}</h1>
    <img src="${photo.src}" srcset="${photo.srcset}" sizes="${photo.sizes}" alt="The Black Canyon">`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=0, s-maxage=86400',
  }
  return new Response(html, { headers })
})

export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  images,
  invalidate: cache.invalidate,
})
