import { setImmediate } from 'node:timers/promises'
import type { ProcessingOptions } from '../../../core/image/internal.js'
import type { OnEvent } from '../events.js'
import type { OriginalSource } from '../sources/original-source.js'
import type { ModernFormat } from '../transforms/formats.js'
import { checkType } from '../transforms/inspect.js'
import type { RenderSettings, RunTask } from '../transforms/render-image.js'
import { digestOf } from './etag.js'
import type { FailedImages } from './failed-images.js'
import type { EncodedImage, ImageCache, Purgeable } from './image-cache.js'
import type { OriginLimit } from './origin-limiter.js'

/** Which image to render. */
export interface RenderJob {
  /** As the site wrote it; for events only. */
  source: string
  original: OriginalSource
  /** Of the original, as it was when the request came. */
  version: string
  /** `undefined` for a file. */
  purgeable: Purgeable | undefined
  options: ProcessingOptions
  accepted: readonly ModernFormat[]
}

/** What identifies an image, known as soon as its original was read. */
export interface ImageIdentity {
  etag: string
  originalDigest: string
  version: string | undefined
}

export interface RendererOptions {
  cache: ImageCache
  failed: FailedImages
  run: RunTask
  settings: RenderSettings
  /** Each returns the limit of an origin. */
  limitTransform: (origin: string) => OriginLimit
  limitHeavy: (origin: string) => OriginLimit
  limitFetch: (origin: string) => OriginLimit
  onEvent: OnEvent
}

// No origin of a URL is empty.
const files = ''

/** Renders an image. Calls `onIdentified` before it starts to decode. */
export type ImageRenderer = (
  job: RenderJob,
  signal: AbortSignal,
  onIdentified: (identity: ImageIdentity) => void,
) => Promise<EncodedImage>

/**
 * Creates a function that reads an original, reports the identity of the image, and renders it unless the signal has
 * aborted by then.
 *
 * The limits bound memory: a file is read only inside the transform limit, so that waiting jobs hold no memory. A fetched
 * original holds its place in the fetch limit until it was transformed, so that slow origins delay other fetches only.
 * A transform that takes much memory or time leaves its place, and waits for the heavy limit outside of both others, so
 * that it delays only its like. Each limit divides its places among the origins, of which all files together are one.
 */
export function createRenderer(renderer: RendererOptions): ImageRenderer {
  const { failed, limitTransform, limitHeavy, limitFetch } = renderer

  return async (job, signal, onIdentified) => {
    const { origin } = job.original
    const isFile = origin === undefined
    const limitOrigin = origin ?? files
    failed.check(attemptOf(job), variantOf(job.options, job.accepted))
    const waiting: { original?: LoadedOriginal } = {}
    const limitLoad = isFile ? limitTransform(limitOrigin) : limitFetch(limitOrigin)
    const image = await limitLoad(async (place) => {
      const loaded = await load(renderer, job, place.signal)
      place.keep()
      onIdentified(loaded.identity)
      await setImmediate() // lets callers leave for whom the identity is enough
      signal.throwIfAborted()
      const render = () => findOrRender(renderer, loaded, job, signal, false)
      const light = await (isFile ? render() : limitTransform(limitOrigin)(render, signal))
      // A file is read again, so that it takes no memory while it waits.
      if (!light && !isFile) waiting.original = loaded
      return light
    }, signal)
    if (image) return image

    const renderHeavy = async () => {
      failed.checkOrigin(origin)
      const loaded = waiting.original ?? (await load(renderer, job, signal))
      return (await findOrRender(renderer, loaded, job, signal, true)) as EncodedImage
    }
    failed.checkOrigin(origin)
    return await limitHeavy(limitOrigin)(renderHeavy, signal, waiting.original?.bytes.length)
  }
}

/** Returns a text that identifies an image among those of one original. */
export function variantOf(options: ProcessingOptions, accepted: readonly ModernFormat[]): string {
  const { resize, width, height, gravity, quality, format } = options
  // The accepted formats, not the Accept header itself, of which there is any number.
  return JSON.stringify([resize, width, height, gravity, quality, format ?? accepted])
}

/**
 * Returns a text that identifies an original as it is now, so far as is known before it was read. After a purge a remote one
 * may be another.
 */
export function attemptOf({ version, purgeable }: Pick<RenderJob, 'version' | 'purgeable'>): string {
  return purgeable ? `${version}\n${purgeable.stamp?.sequence}` : version
}

/** An original in memory. */
interface LoadedOriginal {
  bytes: Uint8Array
  identity: ImageIdentity
}

async function load(
  { cache, failed, onEvent }: RendererOptions,
  job: RenderJob,
  signal: AbortSignal,
): Promise<LoadedOriginal> {
  const { bytes, version } = await job.original.read(signal).catch((error) => {
    failed.addUnread(attemptOf(job), error)
    throw error
  })
  onEvent({ type: 'load', source: job.source, bytes: bytes.length })
  checkType(bytes)
  const originalDigest = digestOf(bytes)
  const etag = cache.etagOf(originalDigest, variantOf(job.options, job.accepted))
  return { bytes, identity: { etag, originalDigest, version } }
}

/** Returns `undefined` for a heavy image that is not allowed. */
async function findOrRender(
  { cache, failed, run, settings, onEvent }: RendererOptions,
  { bytes, identity }: LoadedOriginal,
  job: RenderJob,
  signal: AbortSignal,
  allowHeavy: boolean,
): Promise<EncodedImage | undefined> {
  const { etag, originalDigest, version } = identity
  const { source, options, accepted, purgeable } = job
  const { origin } = job.original
  // The same content may be cached already, from another path or an earlier version.
  let image = await cache.getImage(etag)
  if (image) onEvent({ type: 'hit', source })
  else {
    const variant = variantOf(options, accepted)
    failed.check(originalDigest, variant)
    const task = { ...settings, original: bytes, options, accepted, allowHeavy }
    const rendered = await run(task, signal).catch((error) => {
      failed.add(
        { digest: originalDigest, version: version && attemptOf({ version, purgeable }), origin },
        variant,
        error,
      )
      throw error
    })
    if (!rendered) return undefined
    const { format, body, milliseconds } = rendered
    onEvent({ type: 'transform', source, format, bytes: body.length, milliseconds })
    image = { etag, type: `image/${format}`, body }
    cache.setImage(image)
  }
  if (version !== undefined) cache.setDigest(version, originalDigest, purgeable)
  return image
}
