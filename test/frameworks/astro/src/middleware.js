import { cache, images, revalidate } from '../../site.js'

export const onRequest = async ({ request }, next) =>
  (await images.handler(request)) ?? (await revalidate(request)) ?? cache.wrap(() => next())(request)
