import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { createImageLoader, createImageProxy, imageSrcSet } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { createImageService } from 'sitewright/sharp'

const sources = { '/media/': './media' }
const key = { key: randomBytes(32).toString('hex'), salt: randomBytes(32).toString('hex') }
const service = createImageService({ keys: [key], sources })
const images = createImageProxy({ ...key, serviceUrl: 'http://images', fetch: service, sources: Object.keys(sources) })

const loader = createImageLoader({ sources: Object.keys(sources) })
const cat = imageSrcSet({ loader, src: '/media/locomotion-house-cat.jpg', width: 640 })

const app = new Hono()
  .use(honoMiddleware(images))
  .get('/', (c) => c.html(`<img src="${cat.src}" srcset="${cat.srcset}" sizes="${cat.sizes}" alt="A cat, running">`))

createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)
