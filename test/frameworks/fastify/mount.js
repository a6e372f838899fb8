import { toRequest } from 'sitewright/node'
import { images, revalidate } from '../site.js'

export const mount = async ({ raw, protocol, originalUrl: url }, reply) => {
  const request = toRequest(raw, reply.raw, { protocol, url })
  const response = (await images.handler(request)) ?? (await revalidate(request))
  if (response) return reply.send(response)
}
