import express from 'express'
import { expressMiddleware } from 'sitewright/express'
import { images } from './images.js'
import { pages, revalidate } from './pages.js'

const app = express()
for (const handler of [images.handler, revalidate, pages])
  app.use(expressMiddleware(handler))

app.listen(process.env.PORT ?? 3000)
