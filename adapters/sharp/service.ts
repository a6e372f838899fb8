import { describeError } from '../../core/describe-error.js'
import type { Handler } from '../../core/handler.js'
import { throttleLog } from '../../core/log.js'
import { ImageFailure, RefusedSource } from './failure.js'
import { completeOptions, type ImageServiceOptions } from './options.js'
import { matchesEntityTag } from './pipeline/etag.js'
import { createWorkshop } from './pipeline/pipeline.js'
import { type Identity, variantOf } from './pipeline/renderer.js'
import { createRequestReader } from './requests/parse-request.js'
import { failureResponse, notModifiedResponse, type Picture, pictureResponse } from './requests/responses.js'
import { createSharedWork } from './requests/single-flight.js'
import { acceptedFormats } from './transforms/formats.js'

/**
 * Creates the embedded image service: `GET|HEAD /{signature}/{options}/{source}`, the URLs of imgproxy
 * (https://docs.imgproxy.net/usage/processing), answered by sharp in this process. Give it to the image proxy as its
 * `fetch`, or mount it on a server of its own. Each failure has a status of its own; see `ImageFailure`.
 *
 * @throws TypeError that names the option when one is malformed.
 * @example
 * const sources = { '/media/': './public/media' }
 * const cache = diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })
 * const service = createImageService({ keys: [{ key, salt }], sources, cache })
 * const images = createImageProxy({
 *   serviceUrl: 'http://images.invalid', key, salt, sources: Object.keys(sources), fetch: service,
 * })
 */
export function createImageService(options: ImageServiceOptions): Handler {
  const settings = completeOptions(options)
  const { observe, maxAge } = settings
  const warn = throttleLog(settings.log, { interval: 1_000 })
  const readRequest = createRequestReader(settings)
  const { catalog, make } = createWorkshop(settings)
  const share = createSharedWork<Identity, Picture>()

  const answer = async ({ url, method, headers, signal }: Request): Promise<Response> => {
    if (method !== 'GET' && method !== 'HEAD') throw new ImageFailure(405, 'Method not allowed')
    const { source, place, options } = readRequest(new URL(url).pathname)
    const accepted = acceptedFormats(headers.get('Accept'))
    const ifNoneMatch = headers.get('If-None-Match')
    const delivery = { maxAge, isNegotiated: options.format === undefined }
    const notModified = (etag: string) => {
      observe({ type: 'not-modified', source })
      return notModifiedResponse(etag, delivery)
    }

    const version = await place.version()
    const variant = variantOf(options, accepted)
    const digest = await catalog.digest(version, place.freshFor)
    const known = digest && catalog.etagOf(digest, variant)
    if (known && matchesEntityTag(ifNoneMatch, known)) return notModified(known)
    const kept = known && (await catalog.picture(known))
    if (kept) {
      observe({ type: 'hit', source })
      return pictureResponse(kept, delivery)
    }

    const order = { source, place, options, accepted }
    const made = await share([version, variant].join('\n'), (until, announce) => make(order, until, announce), {
      signal,
      enough: ({ etag }) => matchesEntityTag(ifNoneMatch, etag),
    })
    if ('body' in made) return pictureResponse(made, delivery)
    // Who knows the validator has had the picture, so the original is a good one; `*` proves nothing.
    if (made.version && ifNoneMatch?.includes(made.etag)) catalog.rememberDigest(made.version, made.digest)
    return notModified(made.etag)
  }

  const refuse = (error: unknown, { url }: Request): Response => {
    const { status, message } = error instanceof ImageFailure ? error : { status: 500, message: 'Image service failed' }
    const reason = describeError(error)
    observe({ type: 'failure', status, reason })
    if (status >= 422 || error instanceof RefusedSource) warn(`Image service answers ${status}`, { reason, url })
    return failureResponse({ status, message })
  }

  return async (request) => {
    const response = await answer(request).catch((error) => {
      request.signal?.throwIfAborted() // nobody is there to be answered
      return refuse(error, request)
    })
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}
