import { chain, type MaybePromise } from '../../core/async.js'
import { sameEntityTag } from '../../core/http/conditional.js'
import type {
  CreateImageService,
  ImageRequest,
  ImageResult,
  ImageService,
  ImageSite,
  ServiceFailure,
} from '../../core/image/index.js'
import { errorOf, heightOf, imageFormats, type NegotiatedFormat } from '../../core/image/internal.js'
import { describeError } from '../../core/log.js'
import { checkKnownOptions, type OptionChecks } from '../../core/options.js'
import { type Deadline, startDeadline, TimeoutError, untilAborted } from '../../core/timeout.js'
import { ImageFailure } from './failure.js'
import { type EncodedImage, type Purgeable, refinedTagOf, variantOf } from './image-cache.js'
import { sharpServiceChecks, styleOf } from './option-checks.js'
import { resolveOptions, type SharpServiceOptions } from './options.js'
import { createPipeline, type ServiceInternals } from './pipeline.js'
import type { RenderJob, WantedImage } from './render.js'
import { createFileSources } from './sources/file.js'
import { createRemoteSource } from './sources/remote.js'
import type { ModernFormat } from './transforms/encoders.js'
import type { ImageBox } from './transforms/task.js'

/**
 * Creates a `service` for `createImages` that renders with sharp on this machine, by default in separate processes. For the status of
 * each failure, see `ImageFailure`.
 *
 * @throws TypeError that names the invalid option.
 * @example const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
 */
export function sharpService(options: SharpServiceOptions = {}): CreateImageService {
  const hint = 'sources, cache, tagIndex and maxAge are options of createImages, beside service: sharpService()'
  checkKnownOptions(options, sharpServiceChecks satisfies OptionChecks<SharpServiceOptions>, 'sharpService()', hint)
  return (site) => createSharpService(options, site)
}

/** Creates the service of a site, with settings for tests. */
export function createSharpService(
  options: SharpServiceOptions,
  site: ImageSite,
  internals: ServiceInternals = {},
): ImageService {
  const resolved = resolveOptions(options, site)
  const { cache, tagIndex, render, refine, refresh } = createPipeline(resolved, internals)
  // A visitor waits no longer than ten seconds. A transform that has begun is finished and stored.
  const { onEvent, waitTimeout = 10_000 } = internals
  const locateFile = createFileSources(resolved.folders, resolved.maxSourceBytes)
  const cardStyle = styleOf(resolved.card)
  const locateRemote = createRemoteSource(resolved, internals.lookup)

  /**
   * Gets an image from the store, or else renders it. Returns only the entity tag if the visitor has the image; then nothing is read or
   * decoded. For stored images of files it is synchronous.
   *
   * A visitor who has the first encoding of an image does not get the refined one: it would be the same picture, transferred once more.
   *
   * @param etags Entity tags of the visitor's images. `*` does not show that the visitor has the image.
   * @param signal Returns the signal that ends the wait.
   */
  const find = (
    wanted: WantedImage,
    etags: readonly string[],
    signal: () => AbortSignal,
  ): MaybePromise<EncodedImage | string> => {
    const { source, original } = wanted
    const variant = variantOf(wanted)
    const isKnown = (etag: string) => etags.some((each) => sameEntityTag(each, etag))

    const findVersion = (version: string, purgeable: Purgeable | undefined): MaybePromise<EncodedImage | string> => {
      const job: RenderJob = { ...wanted, version, purgeable, variant }
      return chain(cache.getDigest(version, original.digestTtl, purgeable), (known) => {
        if (!known) return render(job, signal(), isKnown)
        const etag = cache.etagOf(known.digest, variant)
        const knownTag = etags.length > 0 ? [refinedTagOf(etag), etag].find(isKnown) : undefined
        return chain(knownTag ?? cache.getImage(etag), (found) => {
          if (!found) return render(job, signal(), isKnown)
          if (known.isOutOfDate) refresh(known.state ? { ...job, known } : job)
          if (typeof found === 'string') return found
          onEvent?.({ type: 'hit', source })
          // An earlier request stored the image, so this is at least the second one.
          refine?.(job, found)
          return found
        })
      })
    }

    return chain(original.version(signal), (version) => {
      const { tag } = original
      if (tag === undefined) return findVersion(version, undefined)
      // Taken before the original is read, so that a purge in the meantime takes effect.
      return chain(tagIndex.stamp(), (stamp) => findVersion(version, { tag, stamp }))
    })
  }

  /** A timer and an abort signal are created only when the image has to be awaited. */
  const findInTime = (
    wanted: Omit<WantedImage, 'original'>,
    etags: readonly string[],
    clientSignal: () => AbortSignal | undefined,
  ): MaybePromise<EncodedImage | string> => {
    let deadline: Deadline | undefined
    const signal = () => {
      deadline ??= startDeadline(waitTimeout, clientSignal())
      return deadline.signal
    }
    const locate = wanted.source.startsWith('/') ? locateFile : locateRemote
    const image = find({ ...wanted, original: locate(wanted.source) }, etags, signal)
    return image instanceof Promise ? untilAborted(image, signal()).finally(() => deadline?.end()) : image
  }

  return {
    cardStyle,
    getImage(image, { formats, etags, signal }) {
      try {
        const card = image.card && { ...image.card, style: cardStyle }
        // Networks show neither AVIF nor WebP, whatever their `Accept` says.
        const accepted = card ? [] : formats.filter(isEncoded)
        const wanted = { source: image.source, box: boxOf(image), accepted, card }
        const found = findInTime(wanted, etags, signal)
        return found instanceof Promise ? found.then(toResult).catch(toFailure) : toResult(found)
      } catch (error) {
        return toFailure(error)
      }
    },
    async describe(source) {
      try {
        const box = { width: 0, height: 0, gravity: undefined }
        const wanted = { source, box, accepted: [], isDescription: true }
        const { body } = (await findInTime(wanted, [], () => undefined)) as EncodedImage
        return JSON.parse(new TextDecoder().decode(body))
      } catch (error) {
        const { status, details } = toFailure(error)
        throw new Error(`${errorOf(status).error}: ${details.failure ?? details.reason}`, { cause: error })
      }
    },
  }
}

const isEncoded = (format: NegotiatedFormat): format is ModernFormat => 'isOutput' in imageFormats[format]

function boxOf({ width, ratio, focus }: ImageRequest): ImageBox {
  if (ratio === undefined) return { width, height: 0, gravity: undefined }
  return { width, height: heightOf(width, ratio), gravity: focus ?? 'attention' }
}

/** @param image Its entity tag if the visitor has the image. */
function toResult(image: EncodedImage | string): ImageResult {
  if (typeof image === 'string') return { status: 304, etag: image, vary: 'Accept' }
  const { etag, type, body } = image
  return { status: 200, etag, type, body, length: body.length, vary: 'Accept' }
}

function toFailure(error: unknown): ServiceFailure {
  const failure = describeError(error)
  if (error instanceof TimeoutError) return { status: 504, details: { reason: failure } }
  const status = error instanceof ImageFailure ? error.status : 500
  return { status, details: { status, failure } }
}
