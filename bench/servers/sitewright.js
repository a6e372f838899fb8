import { createServer } from 'node:http'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const service = sharpService({ refine: process.env.REFINE !== 'off' })
const { handler: images } = createImages({ sources: { '/media/': process.env.MEDIA }, service })

// A page of as many bytes as an image, /page/{bytes}, to compare with.
const headers = { 'cache-control': 'public, s-maxage=600', 'content-type': 'application/octet-stream', etag: '"page"' }
const render = async ({ url }) => new Response(new Uint8Array(Number(url.split('/').at(-1))), { headers })
const pages = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) }).wrap(render)

const respond = (request) => (request.url.includes('/page/') ? pages(request) : images(request))
createServer(nodeListener(respond)).listen(process.env.PORT, '127.0.0.1')
