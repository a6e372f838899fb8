import { createServer } from 'node:http'
import { nodeListener } from 'sitewright/node'
import { caches, createPage } from '../caches.js'

const render = (url) => createPage(url, 10_000)
const { handle } = caches[process.env.CACHE]({ render, tagOf: () => 'document', maxBytes: 64 * 1024 ** 2, items: 1000 })
const respond = async (request) => (request.url.endsWith('/constant') ? render(request.url) : handle(request))
createServer(nodeListener(respond)).listen(process.env.PORT, '127.0.0.1')
