import compression from 'compression'
import express from 'express'
import { expressMiddleware, inFrontOf } from 'sitewright/express'
import { app } from './app.js'
import { cache, images, revalidate } from './site.js'

const server = express().disable('x-powered-by')
server.use(compression(), expressMiddleware(images.handler), expressMiddleware(revalidate))
server.use('/assets', express.static('build/client/assets', { immutable: true, maxAge: '1y' }))
server.use(express.static('build/client', { maxAge: '1h' }), inFrontOf(cache, app))
server.listen(process.env.PORT ?? 3000)
