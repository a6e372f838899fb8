import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import type { RouteHandler } from '../../core/handler.js'
import { cancelBody } from '../../core/http/body.js'
import { withHeaders } from '../../core/http/headers.js'
import type { CreateImageService, ImageService, ImageSite, OriginalInfo } from '../../core/image/index.js'
import {
  createImgproxyUrls,
  decodeSource,
  encodeSource,
  formatProcessing,
  type ImgproxyAddress,
  normalizeImageAccept,
  sourceTag,
} from '../../core/image/internal.js'
import { secretError } from '../../core/option-error.js'
import {
  checkBoolean,
  checkKnownOptions,
  checkSecret,
  checkString,
  functionAs,
  type OptionChecks,
} from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import type { UpstreamHandler } from '../node/upstream.js'
import { createImgproxyClient } from './client.js'
import { describeByRenderings } from './describe.js'

export interface ImgproxyOptions extends ImgproxyAddress {
  /** Bearer token that imgproxy requires (`IMGPROXY_SECRET`). Default: none. */
  serviceSecret?: string | undefined
  /** Maximum wait for imgproxy in milliseconds: for the head of its response, and for each chunk of the body. Default 10,000. */
  timeout?: number | undefined
  /**
   * Whether images are stored in the `cache` of `createImages`. With `false`, each of them is requested from imgproxy, for a site behind a
   * CDN or an imgproxy Pro that stores them. Default true.
   */
  cache?: boolean | undefined
  /**
   * Fetches from imgproxy. It must not follow redirects (the request has `redirect: 'manual'`), must decode a `Content-Encoding`, and
   * should stop when the request's signal aborts. Default: the global `fetch`. On Node, use `createUpstreamFetch` of `sitewright/node`: if
   * a connection closes while a visitor reads slowly, the global `fetch` crashes the process on Node 22 and 24, and makes a truncated
   * image seem complete on Node 20.
   */
  fetch?: UpstreamHandler | undefined
}

/** Checks that a header can contain the secret unchanged, because each request would fail otherwise. */
function checkServiceSecret(option: string, value: unknown): string {
  const secret = checkSecret(option, value)
  if (/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(secret)) return secret
  const expected = 'printable ASCII without white space at its ends'
  throw secretError(option, expected, 'a malformed one', 'check for a line break at its end')
}

const checks: OptionChecks<ImgproxyOptions> = {
  serviceUrl: checkString,
  key: checkSecret,
  salt: checkSecret,
  sourceBaseUrl: checkString,
  serviceSecret: checkServiceSecret,
  timeout: checkTimeout,
  cache: checkBoolean,
  fetch: functionAs('a function, such as createUpstreamFetch()', ['createUpstreamFetch']),
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
export function imgproxy(options: ImgproxyOptions): CreateImageService {
  const call = 'imgproxy({ serviceUrl, key, salt })'
  checkKnownOptions(options, checks, call, `write createImages({ …, service: ${call} })`)
  const { serviceUrl, timeout = 10_000, cache = true } = options
  const missing = (['serviceUrl', 'key', 'salt'] as const).filter((name) => !options[name])
  const urlOf = createImgproxyUrls(options)
  const client = createImgproxyClient({ ...options, timeout })

  return (site) => {
    const isStored = cache && missing.length === 0
    const wrap = isStored ? createWrap(site, new URL(serviceUrl as string).origin, timeout) : undefined
    const describe = (source: string) =>
      describeByRenderings((processing, maxBytes) => client.readStart(urlOf(source, processing), maxBytes))
    return {
      missing,
      getImage: (image, visitor) => client.getImage(urlOf(image.source, formatProcessing(image)), visitor),
      describe: wrap ? storeDescriptions(describe, wrap, site.maxAge) : describe,
      ...(wrap && { wrap }),
    }
  }
}

/** Creates the function that puts the response cache in front of a handler. */
function createWrap({ cache, tagIndex, log }: ImageSite, origin: string, timeout: number) {
  const responses = createResponseCache({
    store: cache ?? memoryStore({ maxBytes: 64 * 1024 ** 2 }),
    tagIndex,
    bypass: () => false,
    fields: { Accept: normalizeImageAccept },
    tags: [], // only the images' own tags: publishing purges pages, not images
    // Longer than the timeout: requests that wait for a hanging imgproxy get its error, and do not call it again.
    joinTimeout: timeout + 5_000,
    name: 'sitewright-images', // a name of its own, since metrics count pages by the name
    log,
  })
  return (handler: RouteHandler): RouteHandler => {
    const cached = responses.wrap(allowStale(handler))
    return async (request) => {
      const response = await cached(moveTo(origin, request))
      if (!response || request.method !== 'HEAD') return response
      cancelBody(response.body)
      return withHeaders(response, () => {}, null)
    }
  }
}

/**
 * Lets shared caches, including this one, use a stale image for a day while a new one is made, so that no visitor waits for an imgproxy
 * that hangs. Browsers ignore `CDN-Cache-Control` (RFC 9213).
 */
function allowStale(handler: RouteHandler): RouteHandler {
  return async (request) => {
    const response = await handler(request)
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

// The cache stores a description under this address. No visitor's request reaches it, and it is not below any prefix of images.
const descriptions = 'http://describe.invalid/.describe/'

/** Stores descriptions for as long as images, so that a page that describes its images does not cost three renderings of each. */
function storeDescriptions(
  describe: ImageService['describe'],
  wrap: (handler: RouteHandler) => RouteHandler,
  maxAge: number,
): ImageService['describe'] {
  const answer = wrap(async ({ url }) => {
    const source = decodeSource(url.slice(url.lastIndexOf('/') + 1)) ?? ''
    const headers = new Headers({ 'Cache-Control': `public, max-age=${maxAge}, stale-if-error=86400` })
    const tag = sourceTag(source)
    if (tag !== undefined) headers.set('Cache-Tag', tag)
    return Response.json(await describe(source), { headers })
  })
  return async (source) => {
    const response = await answer(new Request(descriptions + encodeSource(source)))
    return (await response?.json()) as OriginalInfo
  }
}
