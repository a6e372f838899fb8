const { createResponseCache, memoryStore, withCookies } = require('sitewright/cache')
const { createImages } = require('sitewright/image')
const { createRevalidateEndpoint } = require('sitewright/revalidate')
const { sharpService } = require('sitewright/sharp')

const images = createImages({ sources: { '/media/': process.env.MEDIA }, service: sharpService() })
const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  bypass: withCookies('connect.sid'),
})
const { invalidate } = cache
const revalidate = createRevalidateEndpoint({ secret: process.env.REVALIDATE_SECRET, images, invalidate })

module.exports = { cache, images, revalidate }
