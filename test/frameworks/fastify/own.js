import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { addRoutes } from './routes.js'

const app = Fastify()
await app.register(helmet)
await addRoutes(app)
await app.listen({ port: Number(process.env.PORT ?? 3000) })
