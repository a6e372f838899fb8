import { isDevelopment, warnOnce } from '../../development.js'
import { expectRequest, type RouteHandler } from '../../handler.js'
import type { ImageLoader } from '../loader.js'

const whereToMount =
  'Mount it before the routes of pages, above all before one for every path: app.use(honoMiddleware(images.handler)) or app.use(expressMiddleware(images.handler))'

/** Milliseconds that a browser has for its first request. */
const hintDelay = 10_000

/**
 * In development, warns once when pages bear URLs of images but no request ever reaches the handler: it is not mounted, and
 * each image is a 404. Servers call a mounted handler for every request, of pages too.
 */
export function warnIfUnmounted(handler: RouteHandler, loader: ImageLoader) {
  if (!isDevelopment()) return { handler, loader }
  const warn = warnOnce()
  let hasRequests = false
  let isWaiting = false
  const check = (url: string) => {
    if (hasRequests) return
    warn(
      () =>
        `Images: pages have URLs such as ${url}, but no request has reached images.handler: is it mounted? ${whereToMount}`,
    )
  }
  const load: ImageLoader = (image) => {
    const url = loader(image)
    if (!hasRequests && !isWaiting && url !== image.src) {
      isWaiting = true
      // In Node, the timer does not keep the process alive.
      const timer: unknown = setTimeout(check, hintDelay, url)
      ;(timer as { unref?: () => void }).unref?.()
    }
    return url
  }
  return {
    loader: Object.assign(load, { widths: loader.widths }) as ImageLoader,
    handler: expectRequest((request: Request) => {
      hasRequests = true
      return handler(request)
    }),
  }
}
