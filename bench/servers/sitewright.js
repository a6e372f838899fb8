import { createServer } from 'node:http'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createImageProxy } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { createImageService } from 'sitewright/sharp'

const key = { key: 'c0ffee', salt: 'decade' }
const sources = { '/media/': process.env.MEDIA }
const service = createImageService({ keys: [key], sources, refine: process.env.REFINE !== 'off' })
const images = createImageProxy({ ...key, serviceUrl: 'http://images', fetch: service, sources: Object.keys(sources) })

// A page of as many bytes as an image, /page/{bytes}, to compare with.
const headers = { 'cache-control': 'public, s-maxage=600', 'content-type': 'application/octet-stream', etag: '"page"' }
const render = async ({ url }) => new Response(new Uint8Array(Number(url.split('/').at(-1))), { headers })
const pages = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) }).wrap(render)

const respond = (request) => (request.url.includes('/page/') ? pages(request) : images(request))
createServer(nodeListener(respond)).listen(process.env.PORT, '127.0.0.1')
