import { createServer } from 'node:http'
import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener, packageFiles } from 'sitewright/node'
import { images } from './images.js'
import { pages, revalidate } from './pages.js'
import { styleguide } from './styleguide.js'

const app = new Hono()
for (const handler of [images.handler, revalidate, packageFiles(), styleguide, pages])
  app.use(honoMiddleware(handler))

createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)
