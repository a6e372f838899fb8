import { createServer } from 'node:http'
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { inFrontOf } from 'sitewright/express'
import { cache } from '../site.js'
import { mount } from './mount.js'
import { addRoutes } from './routes.js'

const serverFactory = (handler, options) => {
  const cached = inFrontOf(cache, handler)
  const isPage = ({ url }) => !/^\/(_img|api)\//.test(url)
  return createServer(options, (req, res) => (isPage(req) ? cached(req, res) : handler(req, res)))
}
const app = Fastify({ serverFactory })
await app.register(helmet)
app.addHook('onRequest', mount)
await addRoutes(app) // with @fastify/session
await app.listen({ port: Number(process.env.PORT ?? 3000) })
