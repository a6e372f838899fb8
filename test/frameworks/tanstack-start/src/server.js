import handler from '@tanstack/react-start/server-entry'
import { images, pages, revalidate } from '../../site.js'

const render = pages.wrap(async (request) => handler.fetch(request))

export default {
  fetch: async (request) => (await images.handler(request)) ?? (await revalidate(request)) ?? render(request),
}
