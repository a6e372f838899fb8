import { createServer } from 'node:http'
import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { createImages } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const photo = images.srcSet({ src: '/media/black-canyon.jpg', width: 640 })

const app = new Hono()
  .use(honoMiddleware(images.handler))
  .get('/', (c) =>
    c.html(
      `<img src="${photo.src}" srcset="${photo.srcset}" sizes="${photo.sizes}" alt="The Black Canyon">`,
    ),
  )

createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)
