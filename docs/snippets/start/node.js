import { createServer } from 'node:http'
import { nodeListener, packageFiles } from 'sitewright/node'
import { images } from './images.js'
import { pages, revalidate } from './pages.js'
import { styleguide } from './styleguide.js'

const handlers = [images.handler, revalidate, packageFiles(), styleguide, pages]

/** Asks one handler after the other: each answers `undefined` for what is not its own. */
async function site(/** @type {Request} */ request) {
  for (const handler of handlers) {
    const response = await handler(request)
    if (response) return response
  }
  return new Response('Not found', { status: 404 })
}

createServer(nodeListener(site)).listen(process.env.PORT ?? 3000)
