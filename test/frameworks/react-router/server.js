import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { createRequestHandler } from 'react-router'
import { honoMiddleware } from 'sitewright/hono'
import { cache, images, revalidate } from '../site.js'
import * as build from './build/server/index.js'

const render = createRequestHandler(build)
const loadContext = () => ({}) // for each request, or leave it out
const page = cache.inFrontOf((request) => render(request, loadContext(request)))
const app = new Hono().use(honoMiddleware(images.handler), honoMiddleware(revalidate))
app.use(serveStatic({ root: 'build/client' }), honoMiddleware(page))
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) })
