import { createServer } from 'node:http'
import { createRequestHandler } from 'react-router'
import { nodeListener } from 'sitewright/node'
import { cache, images, revalidate } from '../site.js'

const render = cache.wrap(createRequestHandler(await import('./build/server/index.js')))
const handler = async (request) => (await images.handler(request)) ?? (await revalidate(request)) ?? render(request)
createServer(nodeListener(handler)).listen(process.env.PORT ?? 3000)
