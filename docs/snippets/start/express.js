import express from 'express'
import { expressMiddleware } from 'sitewright/express'
import { packageFiles } from 'sitewright/node'
import { images } from './images.js'
import { pages, revalidate } from './pages.js'
import { styleguide } from './styleguide.js'

const app = express()
for (const handler of [images.handler, revalidate, packageFiles(), styleguide, pages])
  app.use(expressMiddleware(handler))

app.listen(process.env.PORT ?? 3000)
