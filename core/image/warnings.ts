import { isDevelopment, warnOnce } from '../development.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { type ErrorResponse, errors } from './errors.js'
import type { ImageLoader } from './loader.js'
import type { ImagePlanOptions } from './plan.js'
import { defaultRatios } from './ratios.js'
import { decodeSource, defaultWidths } from './url.js'

const advice = 'write the URL with images.srcSet, <Image> or the loader'

/**
 * Creates the function that warns in development about image requests that are answered with 400 or 403. It says why, and what to do,
 * once for each reason. In production it does nothing, since any client can send such requests.
 */
export function createRejectionWarning({
  sources,
  widths = defaultWidths,
  ratios = defaultRatios,
  focus = true,
}: ImagePlanOptions): (request: Pick<Request, 'url'>, error: ErrorResponse) => void {
  if (!isDevelopment()) return () => {}
  const warn = warnOnce()
  return ({ url }, { status, error }) => {
    if (status !== 400 && status !== 403) return
    const { pathname, searchParams } = new URL(url)
    const source = decodeSource(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? ''
    const [width, ratio, point] = ['width', 'ratio', 'focus'].map((name) => searchParams.get(name))
    const allowed = `width, ratio, focus${searchParams.has('v') ? ', and v with the option version' : ''}`
    const reasons: Readonly<Record<string, string>> = {
      [errors.missingParameters.error]: `expected /{prefix}/{source}?width={n}; ${advice}`,
      [errors.invalidWidth.error]: `width: expected one of ${widths.join(', ')}, got ${width}; add it to widths`,
      [errors.invalidRatio.error]: `ratio: expected one of ${ratios.join(', ')}, got ${ratio}; add it to ratios`,
      [errors.invalidFocus.error]: focus
        ? `focus: expected tenths such as 3,7 beside a ratio, got ${point}; ${advice}`
        : `focus: expected none, since the option focus is false, got ${point}`,
      [errors.unknownParameters.error]:
        `expected no parameter but ${allowed}, got ${[...searchParams.keys()].join(', ')}; ${advice}`,
      [errors.invalidSource.error]:
        `source: expected unpadded base64url of a source as the loader spells it, got '${source}'; ${advice}`,
      [errors.sourceNotAllowed.error]: `sources: expected a prefix of ${source}, got ${[...sources].join(', ')}`,
    }
    const values: Readonly<Record<string, unknown>> = {
      [errors.invalidWidth.error]: width,
      [errors.invalidRatio.error]: ratio,
    }
    const key = `${error} ${values[error] ?? ''}`
    warn(() => `Images: ${status} ${error} for ${pathname.slice(0, 200)}: ${reasons[error]?.slice(0, 500)}`, key)
  }
}

const whereToMount =
  'Mount it before the routes of pages, above all before one for every path: app.use(honoMiddleware(images.handler)) or app.use(expressMiddleware(images.handler))'

/**
 * In development, warns once if pages contain image URLs but no request reaches the handler within ten seconds. The handler is then not
 * mounted, and each image is a 404. Servers call a mounted handler for every request, including requests for pages.
 */
export function warnIfUnmounted(handler: RouteHandler, loader: ImageLoader) {
  if (!isDevelopment()) return { handler, loader }
  let hasRequests = false
  let isWaiting = false
  const check = (url: string) => {
    if (hasRequests) return
    console.warn(
      `Images: pages have URLs such as ${url}, but no request has reached images.handler: is it mounted? ${whereToMount}`,
    )
  }
  const load: ImageLoader = (image) => {
    const url = loader(image)
    if (!hasRequests && !isWaiting && url !== image.src) {
      isWaiting = true
      // In Node, the timer does not keep the process alive.
      const timer: unknown = setTimeout(check, 10_000, url)
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
