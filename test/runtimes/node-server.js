// The site on the http module of Node, with the embedded image service and a store on disk: Node, Bun and Deno have all three.
import { createServer } from 'node:http'
import { diskStore } from 'sitewright/disk'
import { nodeListener } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'
import { createSite } from './site.js'

const [media, directory] = /** @type {[string, string]} */ (process.argv.slice(2))
const images = { sources: { '/media/': media }, service: sharpService() }
const { fetch } = createSite({ images, store: diskStore({ directory, maxBytes: 10_000_000 }) })
const server = createServer(nodeListener((request) => fetch(request)))
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
