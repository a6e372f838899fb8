import { images, pages, revalidate } from '../../site.js'

export const handle = async ({ event, resolve }) =>
  (await images.handler(event.request)) ??
  (await revalidate(event.request)) ??
  pages.wrap(() => resolve(event))(event.request)
