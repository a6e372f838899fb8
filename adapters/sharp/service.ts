import { describeError } from '../../core/describe-error.js'
import { expectRequest, type Handler } from '../../core/handler.js'
import { createResponse } from '../../core/http/create-response.js'
import { matchesEntityTag } from '../../core/http/entity-tag.js'
import { throttleLog } from '../../core/log.js'
import { BlockedSource, ImageFailure } from './failure.js'
import { type ImageServiceOptions, resolveOptions } from './options.js'
import type { EncodedImage } from './pipeline/image-cache.js'
import { createPipeline } from './pipeline/pipeline.js'
import { attemptOf, type ImageIdentity, variantOf } from './pipeline/renderer.js'
import { createImageBodies } from './requests/image-bodies.js'
import { createRequestParser } from './requests/parse-request.js'
import { createFailureResponse, createImageResponse, createNotModifiedResponse } from './requests/responses.js'
import { createSingleFlight } from './requests/single-flight.js'
import { acceptedFormats } from './transforms/formats.js'

/**
 * Transforms that go on at once after the last client has left, such as a proxy whose timeout is shorter than they take:
 * the next one shall not pay for them again. Each ends at `transformTimeout` at the latest.
 */
const maxAbandoned = 8

/**
 * Creates the embedded image service: it answers imgproxy's URLs, `GET|HEAD /{signature}/{options}/{source}`
 * (https://docs.imgproxy.net/usage/processing), with sharp, in processes of its own by default. Pass it to the image proxy as `fetch`, or
 * mount it on a server of its own. Each failure has its own status, see `ImageFailure`.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const sources = { '/media/': './public/media' }
 * const cache = diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })
 * const service = createImageService({ keys: [{ key, salt }], sources, cache })
 * const images = createImageProxy({
 *   serviceUrl: 'http://images.invalid', key, salt, sources: Object.keys(sources), fetch: service,
 * })
 */
export function createImageService(options: ImageServiceOptions): Handler {
  const resolved = resolveOptions(options)
  const { onEvent, maxAge } = resolved
  const log = throttleLog(resolved.log, { keyOf: (message, { source }) => `${message} ${source}` })
  const parseRequest = createRequestParser(resolved)
  const { cache, tagIndex, render } = createPipeline(resolved)
  const openBody = createImageBodies(cache.getImage)
  const renderOnce = createSingleFlight<ImageIdentity, EncodedImage>(maxAbandoned)

  const respond = async ({ url, method, headers, signal }: Request): Promise<Response> => {
    if (method !== 'GET' && method !== 'HEAD') throw new ImageFailure(405, 'Method not allowed')
    const { source, original, options } = parseRequest(new URL(url).pathname)
    const accepted = acceptedFormats(headers.get('Accept'))
    const ifNoneMatch = headers.get('If-None-Match')
    const isCurrent = (etag: string) => ifNoneMatch !== null && matchesEntityTag(ifNoneMatch, etag)
    const responseOptions = { openBody, maxAge, isNegotiated: options.format === undefined }
    const notModified = (etag: string) => {
      onEvent({ type: 'not-modified', source })
      return createNotModifiedResponse(etag, responseOptions)
    }

    const version = await original.version()
    const { tag } = original
    // Before the original is read: a purge that comes meanwhile counts.
    const purgeable = tag === undefined ? undefined : { tag, stamp: await tagIndex.stamp() }
    const variant = variantOf(options, accepted)
    const digest = await cache.getDigest(version, original.digestTtl, purgeable)
    const etag = digest && cache.etagOf(digest, variant)
    if (etag && isCurrent(etag)) return notModified(etag)
    const cached = etag && (await cache.getImage(etag))
    if (cached) {
      onEvent({ type: 'hit', source })
      return createImageResponse(cached, responseOptions)
    }

    const job = { source, original, version, purgeable, options, accepted }
    const rendered = await renderOnce(
      `${attemptOf(job)}\n${variant}`,
      (until, publish) => render(job, until, publish),
      {
        signal,
        isEnough: (identity) => isCurrent(identity.etag),
      },
    )
    if ('body' in rendered) return createImageResponse(rendered, responseOptions)
    // A client that knows the entity tag has had the image, so the original is valid; `*` proves nothing.
    if (rendered.version && ifNoneMatch?.includes(rendered.etag)) {
      cache.setDigest(rendered.version, rendered.originalDigest, purgeable)
    }
    return notModified(rendered.etag)
  }

  /** The source of a URL as text, for the log; `undefined` when the URL is malformed. */
  const sourceOf = (url: string): string | undefined => {
    try {
      return parseRequest(new URL(url).pathname).source
    } catch {
      return undefined
    }
  }

  const fail = (error: unknown, { url }: Request): Response => {
    const { status, message } = error instanceof ImageFailure ? error : { status: 500, message: 'Image service failed' }
    const reason = describeError(error)
    onEvent({ type: 'failure', status, reason })
    if (status >= 422 || error instanceof BlockedSource) {
      const source = sourceOf(url)
      log(`Image service responded with ${status}`, { reason, ...(source !== undefined && { source }), url })
    }
    return createFailureResponse(status, message)
  }

  return expectRequest(async (request) => {
    const response = await respond(request).catch((error) => {
      request.signal?.throwIfAborted() // the client disconnected
      return fail(error, request)
    })
    return request.method === 'HEAD' ? createResponse(null, response) : response
  })
}
