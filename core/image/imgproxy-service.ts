import { createResponseCache, memoryStore } from '../cache/index.js'
import type { RouteHandler } from '../handler.js'
import { cancelBody } from '../http/body.js'
import { withHeaders } from '../http/headers.js'
import { checkKnownOptions } from '../options.js'
import { normalizeImageAccept } from './formats.js'
import type { ImageService } from './images.js'
import { type ImageServiceOptions, serviceChecks } from './service.js'

export interface ImgproxyOptions extends ImageServiceOptions {
  /** Base URL of imgproxy. Without it, images are answered with 500 `Image Proxy is not configured`. */
  serviceUrl: string | undefined
  /** imgproxy's signing key (`IMGPROXY_KEY`), as hex digits. Without it, images are answered with 500. */
  key: string | undefined
  /** imgproxy's signing salt (`IMGPROXY_SALT`), as hex digits. Without it, images are answered with 500. */
  salt: string | undefined
  /**
   * Where imgproxy finds `/media/cat.jpg`: below its `IMGPROXY_LOCAL_FILESYSTEM_ROOT` (`'local://'`), in a bucket (`'s3://bucket'`) or
   * on a server (its origin). With `''`, imgproxy's `IMGPROXY_BASE_URL` decides. Default `'local://'`.
   */
  sourceBaseUrl?: string | undefined
}

/**
 * Creates the service for `createImages` that uses imgproxy (https://imgproxy.net), or any service with the same URLs. imgproxy has no
 * cache, so there is a response cache in front of it. It stores images in the `cache` of `createImages`, by default in 64 MiB of memory.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const { IMGPROXY_URL: serviceUrl, IMGPROXY_KEY: key, IMGPROXY_SALT: salt } = process.env
 * const images = createImages({ sources: ['/media/'], service: imgproxy({ serviceUrl, key, salt }) })
 */
export function imgproxy(options: ImgproxyOptions): ImageService {
  const call = 'imgproxy({ serviceUrl, key, salt })'
  checkKnownOptions(options, serviceChecks, call, `write createImages({ …, service: ${call} })`)
  const { serviceUrl, key, salt, sourceBaseUrl = 'local://', timeout = 10_000 } = options
  return ({ cache: store = memoryStore({ maxBytes: 64 * 1024 ** 2 }), tagIndex, log }) => {
    const cache = createResponseCache({
      store,
      tagIndex,
      bypass: () => false,
      fields: { Accept: normalizeImageAccept },
      tags: [], // only the images' own tags: publishing purges pages, not images
      // Longer than the timeout: requests that wait for a hanging imgproxy get its error, and do not call it again.
      joinTimeout: timeout + 5_000,
      log,
    })
    return {
      proxy: { ...options, sourceBaseUrl, timeout },
      wrap(proxy) {
        if (!serviceUrl || !key || !salt) return proxy
        const { origin } = new URL(serviceUrl) // checked by the proxy
        const cached = cache.wrap(allowStale(proxy))
        return async (request) => {
          const response = await cached(moveTo(origin, request))
          if (!response || request.method !== 'HEAD') return response
          cancelBody(response.body)
          return withHeaders(response, () => {}, null)
        }
      },
    }
  }
}

/**
 * Lets shared caches, including this one, use a stale image for a day while a new one is made, so that no visitor waits for an imgproxy
 * that hangs. Browsers ignore `CDN-Cache-Control` (RFC 9213).
 */
function allowStale(proxy: RouteHandler): RouteHandler {
  return async (request) => {
    const response = await proxy(request)
    const lifetime = response?.headers.get('cache-control')
    if (!response || !lifetime?.includes('stale-if-error')) return response
    return withHeaders(response, (headers) =>
      headers.set('cdn-cache-control', `${lifetime}, stale-while-revalidate=86400`),
    )
  }
}

/**
 * Returns the request with the service's origin in its URL. Images are stored under this origin, because they are the same on every host
 * of the site and a client can make up hosts. A HEAD becomes a GET, and a range request gets the whole image (RFC 9110, section 14.2),
 * since imgproxy makes the image in both cases.
 */
function moveTo(origin: string, request: Request): Request {
  const { url, method, signal } = request
  const { pathname, search } = new URL(url)
  const headers = new Headers()
  // The fields that the proxy reads.
  for (const name of ['accept', 'if-none-match', 'if-modified-since']) {
    if (request.headers.has(name)) headers.set(name, request.headers.get(name) as string)
  }
  return { url: origin + pathname + search, method: method === 'HEAD' ? 'GET' : method, headers, signal } as Request
}
