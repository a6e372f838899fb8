import { chain, type MaybePromise } from '../../core/async.js'
import { expectRequest, type Handler } from '../../core/handler.js'
import { matchesEntityTag } from '../../core/http/conditional.js'
import type { SendUpstream } from '../../core/image/internal.js'
import { describeError, throttleLog } from '../../core/log.js'
import { createResponse } from '../../core/response-factory.js'
import { BlockedSource, ImageFailure } from './failure.js'
import { type ImageServiceOptions, resolveOptions } from './options.js'
import { createSinceLastPurge } from './pipeline/attempts.js'
import type { EncodedImage, Purgeable } from './pipeline/image-cache.js'
import { sharedAttemptOf, variantOf } from './pipeline/image-names.js'
import { createPipeline } from './pipeline/pipeline.js'
import type { ImageIdentity } from './pipeline/renderer.js'
import { createImageBodies } from './requests/image-bodies.js'
import { createRequestParser } from './requests/parse-request.js'
import { createRefreshes } from './requests/refreshes.js'
import {
  createFailureResponse,
  createImageResponse,
  createNotModifiedResponse,
  type ServiceRequest,
  type ServiceResponse,
} from './requests/responses.js'
import { createServiceSend } from './requests/send.js'
import { createSingleFlight } from './requests/single-flight.js'
import { acceptedFormats } from './transforms/formats.js'

/**
 * Transforms of one origin that go on at once after the last client has left, such as a proxy whose timeout is shorter than
 * they take: the next one shall not pay for them again. Each ends at `transformTimeout` at the latest.
 */
const maxAbandoned = 8

/** The embedded image service. */
export interface EmbeddedImageService extends Handler {
  /** How an image proxy in the same process asks it: without the objects of `fetch`. */
  readonly send: SendUpstream
}

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
export function createImageService(options: ImageServiceOptions): EmbeddedImageService {
  const resolved = resolveOptions(options)
  const { onEvent, maxAge } = resolved
  const log = throttleLog(resolved.log, { keyOf: (message, { source }) => `${message} ${source}` })
  const parseRequest = createRequestParser(resolved)
  const { cache, tagIndex, render } = createPipeline(resolved)
  const openBody = createImageBodies(cache.getImage)
  const sinceLastPurge = createSinceLastPurge(tagIndex)
  const refresh = createRefreshes(Math.max(1, Math.floor(resolved.fetchConcurrencyPerOrigin / 2)), log)
  const renderOnce = createSingleFlight<ImageIdentity, EncodedImage>(maxAbandoned)

  const respond = (request: ServiceRequest): MaybePromise<ServiceResponse> => {
    const { url, method, headers } = request
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

    const respondBy = (image: EncodedImage | undefined) =>
      image &&
      (() => {
        onEvent({ type: 'hit', source })
        return createImageResponse(image, responseOptions)
      })
    const variant = variantOf(options, accepted)

    const respondRendered = async (
      version: string,
      asked: Purgeable | undefined,
      signal: AbortSignal | undefined,
    ): Promise<ServiceResponse> => {
      const purgeable = asked && (await sinceLastPurge(version, asked))
      const job = { source, original, version, purgeable, options, accepted }
      const rendered = await renderOnce(`${sharedAttemptOf(job)}\n${variant}`, (...until) => render(job, ...until), {
        signal,
        // A client that knows the entity tag has had the image, so the original is valid. `*` proves nothing: the image is made.
        isEnough: (identity) => ifNoneMatch?.trim() !== '*' && isCurrent(identity.etag),
        group: original.group,
      })
      if ('body' in rendered) {
        return isCurrent(rendered.etag) ? notModified(rendered.etag) : createImageResponse(rendered, responseOptions)
      }
      if (rendered.version) cache.setDigest(rendered.version, rendered.originalDigest, purgeable)
      return notModified(rendered.etag)
    }

    const respondTo = (version: string, purgeable: Purgeable | undefined): MaybePromise<ServiceResponse> =>
      chain(cache.getDigest(version, original.digestTtl, purgeable), (known) => {
        if (!known) return respondRendered(version, purgeable, request.signal)
        const etag = cache.etagOf(known.digest, variant)
        const stored = isCurrent(etag) ? () => notModified(etag) : chain(cache.getImage(etag), respondBy)
        return chain(stored, (respondStored) => {
          if (!respondStored) return respondRendered(version, purgeable, request.signal)
          if (!known.isOutOfDate) return respondStored()
          const { signal } = request
          const render = (until: AbortSignal) => respondRendered(version, purgeable, until)
          const forgetStored = () => cache.deleteDigest(version)
          return refresh({ version, group: original.group, source, signal, render, respondStored, forgetStored })
        })
      })

    return chain(original.version(request), (version) => {
      const { tag } = original
      if (tag === undefined) return respondTo(version, undefined)
      // Before the original is read: a purge that comes meanwhile counts.
      return chain(tagIndex.stamp(), (stamp) => respondTo(version, { tag, stamp }))
    })
  }

  /** The source of a URL as text, for the log; `undefined` when the URL is malformed. */
  const sourceOf = (url: string): string | undefined => {
    try {
      return parseRequest(new URL(url).pathname).source
    } catch {
      return undefined
    }
  }

  /** @param isLogged Whether the image proxy logs it, which gets the reason. */
  const fail = (error: unknown, { url, signal }: ServiceRequest, isLogged: boolean): ServiceResponse => {
    signal?.throwIfAborted() // the client disconnected
    const { status, message } = error instanceof ImageFailure ? error : { status: 500, message: 'Image service failed' }
    const reason = describeError(error)
    onEvent({ type: 'failure', status, reason })
    if (!isLogged && (status >= 422 || error instanceof BlockedSource)) {
      const source = sourceOf(url)
      log(`Image service responded with ${status}`, { reason, ...(source !== undefined && { source }), url })
    }
    return createFailureResponse(status, message, reason)
  }

  const answer = (request: ServiceRequest, isLogged: boolean): MaybePromise<ServiceResponse> => {
    try {
      const response = respond(request)
      return response instanceof Promise ? response.catch((error) => fail(error, request, isLogged)) : response
    } catch (error) {
      return fail(error, request, isLogged)
    }
  }

  const fetch = expectRequest(async (request: Request): Promise<Response> => {
    const { status, headers, openBody } = await answer(request, false)
    return createResponse(request.method === 'HEAD' ? null : openBody(), { status, headers })
  })
  return Object.assign(fetch, { send: createServiceSend((request) => answer(request, true)) })
}
