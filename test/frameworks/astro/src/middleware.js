import { images, pages, revalidate } from '../../site.js'

export const onRequest = async ({ request }, next) =>
  (await images.handler(request)) ?? (await revalidate(request)) ?? pages.wrap(() => next())(request)
