import { createServer } from 'node:http'
import { nodeListener } from 'sitewright/node'
import { caches, page } from '../caches.js'

const render = (url) => page(url, 10_000)
const { handle } = caches[process.env.CACHE]({ render, tagOf: () => 'document', maxBytes: 64 * 1024 ** 2, items: 1000 })
const answer = async (request) => (request.url.endsWith('/constant') ? render(request.url) : handle(request))
createServer(nodeListener(answer)).listen(process.env.PORT, '127.0.0.1')
