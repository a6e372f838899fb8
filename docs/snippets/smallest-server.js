import { createServer } from 'node:http'
import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { createImages } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const cat = images.srcSet({ src: '/media/locomotion-house-cat.jpg', width: 640 })

const app = new Hono()
  .use(honoMiddleware(images.handler))
  .get('/', (c) =>
    c.html(
      `<img src="${cat.src}" srcset="${cat.srcset}" sizes="${cat.sizes}" alt="A cat, running">`,
    ),
  )

createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)
