import Fastify from 'fastify'
import { toRequest } from 'sitewright/node'
import { images, revalidate } from '../site.js'
import { page } from './page.js'

const app = Fastify().addHook('onRequest', async ({ raw, protocol, originalUrl: url }, reply) => {
  const request = toRequest(raw, reply.raw, { protocol, url })
  const response = (await images.handler(request)) ?? (await revalidate(request)) ?? (await page(request))
  if (response) return reply.send(response)
})
await app.listen({ port: Number(process.env.PORT ?? 3000) })
