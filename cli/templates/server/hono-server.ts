import { createServer } from 'node:http'
import { Hono } from 'hono'
import { nodeListener } from 'sitewright/node'
import { sitewright } from './hono.js'

const app = new Hono()
app.use(sitewright) // before every route, also a catch-all
createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)

import { honoMiddleware } from 'sitewright/hono'
import { cache, images } from './hono.js'

const picture = images.srcSet({ src: '/media/cat.jpg', width: 640 })
const page = cache.wrap(async () => {
  const html = `<img src="${picture.src}" srcset="${picture.srcset}"
    sizes="${picture.sizes}" alt="A cat">`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=0, s-maxage=86400',
  }
  return new Response(html, { headers })
})
app.get('/example', honoMiddleware(page))
