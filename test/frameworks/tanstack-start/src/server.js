import handler from '@tanstack/react-start/server-entry'
import { cache, images, revalidate } from '../../site.js'

const render = cache.wrap(async (request) => handler.fetch(request))

export default {
  fetch: async (request) => (await images.handler(request)) ?? (await revalidate(request)) ?? render(request),
}
