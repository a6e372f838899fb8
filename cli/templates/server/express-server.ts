import express from 'express'
import { sitewright } from './express.js'

const app = express()
app.use(sitewright) // before every route, also a catch-all
app.listen(process.env.PORT ?? 3000)

import { expressMiddleware } from 'sitewright/express'
import { cache, images } from './express.js'

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
app.get('/example', expressMiddleware(page))
