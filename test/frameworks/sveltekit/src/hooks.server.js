import { cache, images, revalidate } from '../../site.js'

export const handle = async ({ event, resolve }) =>
  (await images.handler(event.request)) ??
  (await revalidate(event.request)) ??
  cache.wrap(() => resolve(event))(event.request)
