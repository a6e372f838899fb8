import { LRUCache } from 'lru-cache'
import { chain, type MaybePromise } from '../../core/async.js'
import type { GuardedTagIndex } from '../../core/cache/internal.js'
import { matchesEntityTag } from '../../core/http/conditional.js'
import { acceptedFormats, imageFormats, type NegotiatedFormat, securityHeaders } from '../../core/image/internal.js'
import { describeError, type Log } from '../../core/log.js'
import { ImageFailure } from './failure.js'
import { type EncodedImage, type ImageCache, type Purgeable, refinedTagOf, variantOf } from './image-cache.js'
import type { ImageRenderer, OnEvent, RenderJob } from './render.js'
import type { ImageRequest } from './request.js'
import type { ServiceRequest, ServiceResponse } from './response.js'
import type { ModernFormat } from './transforms/encoders.js'

const isEncoded = (format: NegotiatedFormat): format is ModernFormat => 'isOutput' in imageFormats[format]

export interface ResponderOptions {
  cache: ImageCache
  tagIndex: GuardedTagIndex
  render: ImageRenderer
  /** Queues a stored image, to be encoded again for fewer bytes. */
  refine(job: RenderJob, stored: EncodedImage): void
  /** Seconds for which browsers and caches may store an image. */
  maxAge: number
  log: Log
  onEvent: OnEvent
}

/**
 * Creates the function that answers requests. If possible, it responds with a stored image or a 304, without reading or
 * decoding anything; otherwise it renders the image. For stored images of files it is synchronous.
 *
 * @throws ImageFailure, or the reason of the request's signal.
 */
export function createResponder(
  responder: ResponderOptions,
): (request: ServiceRequest, image: ImageRequest) => MaybePromise<ServiceResponse> {
  const { cache, tagIndex, render, refine, onEvent } = responder
  const refresh = createRefresh(responder)

  return (request, image) => {
    const { headers } = request
    const { source, original, options } = image
    const accepted = acceptedFormats(headers.get('Accept')).filter(isEncoded)
    const variant = variantOf(options, accepted)
    const ifNoneMatch = headers.get('If-None-Match')
    const isKnown = (etag: string) => ifNoneMatch !== null && matchesEntityTag(ifNoneMatch, etag)
    /**
     * Creates the response with an image, or the 304 to a client that already has it (RFC 9110, section 15.4.5).
     *
     * @param image Its entity tag when the client has the image.
     */
    const respondWith = (image: EncodedImage | string): ServiceResponse => {
      const etag = typeof image === 'string' ? image : image.etag
      const headers = {
        ETag: etag,
        'Cache-Control': `public, max-age=${responder.maxAge}`,
        ...(options.format === undefined && { Vary: 'Accept' }),
        ...securityHeaders,
      }
      if (typeof image !== 'string' && !isKnown(etag)) {
        const { type, body } = image
        const content = { 'Content-Type': type, 'Content-Length': String(body.length) }
        return { status: 200, headers: { ...content, ...headers }, body }
      }
      onEvent({ type: 'not-modified', source })
      return { status: 304, headers, body: null }
    }
    const respondRendered = async (job: RenderJob): Promise<ServiceResponse> => {
      // `*` does not prove that the client has the image, so the image is rendered.
      const isEnough = ifNoneMatch === null || ifNoneMatch.trim() === '*' ? undefined : isKnown
      return respondWith(await render(job, request.signal(), isEnough))
    }
    const respondTo = (version: string, purgeable: Purgeable | undefined): MaybePromise<ServiceResponse> => {
      const job = { source, original, version, purgeable, options, accepted, variant }
      return chain(cache.getDigest(version, original.digestTtl, purgeable), (known) => {
        if (!known) return respondRendered(job)
        const etag = cache.etagOf(known.digest, variant)
        const refinedTag = refinedTagOf(etag)
        // Not with `*`, which matches both entity tags.
        const isOnlyRefined = isKnown(refinedTag) && !isKnown(etag)
        return chain(isOnlyRefined ? refinedTag : cache.getImage(etag), (found) => {
          const stored = found ?? (isKnown(etag) ? etag : undefined)
          if (!stored) return respondRendered(job)
          // An earlier request stored the image, so this is at least the second one.
          if (typeof stored !== 'string') refine(job, stored)
          if (known.isOutOfDate) refresh(known.state ? { ...job, known } : job)
          if (typeof stored !== 'string') onEvent({ type: 'hit', source })
          return respondWith(stored)
        })
      })
    }

    return chain(original.version(request.signal), (version) => {
      const { tag } = original
      if (tag === undefined) return respondTo(version, undefined)
      // Taken before the original is read, so that a purge in the meantime takes effect.
      return chain(tagIndex.stamp(), (stamp) => respondTo(version, { tag, stamp }))
    })
  }
}

/**
 * Creates the function that requests an original again while clients get the stored image (RFC 5861), and renders the
 * original if it has changed. It sends at most one request a minute for each original, even while the server fails.
 * After a 404, the stored image is no longer used; after other failures, it still is.
 */
function createRefresh({ cache, render, log }: ResponderOptions): (job: RenderJob) => void {
  const refreshed = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })
  return (job) => {
    const { version, source } = job
    if (refreshed.has(version)) return
    refreshed.set(version, true)
    render(job).catch((error) => {
      if (error instanceof ImageFailure && error.status === 404) return cache.deleteDigest(version)
      const reason = describeError(error)
      log('Image service uses a stored image: its original cannot be fetched', { reason, source })
    })
  }
}
