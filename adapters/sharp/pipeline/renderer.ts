import { setImmediate } from 'node:timers/promises'
import type { ProcessingOptions } from '../../../core/image/internal.js'
import type { OnEvent } from '../events.js'
import type { Original, OriginalSource } from '../sources/original-source.js'
import { chooseFormat, type ModernFormat } from '../transforms/formats.js'
import { checkType, inspectImage } from '../transforms/inspect.js'
import { isHeavy, outputPixels } from '../transforms/memory-cost.js'
import type { Transform } from '../transforms/transform.js'
import { digestOf } from './etag.js'
import type { EncodedImage, ImageCache } from './image-cache.js'
import type { Limit } from './limiter.js'

/** Which image to render. */
export interface RenderJob {
  /** As the site wrote it; for events only. */
  source: string
  original: OriginalSource
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
  transform: Transform
  /** Maximum number of pixels of an original, counting all frames. */
  maxPixels: number
  limitTransform: Limit
  limitHeavy: Limit
  /** Returns the limit of an origin. */
  limitFetch: (origin: string) => Limit
  onEvent: OnEvent
}

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
 * A transform that takes much memory waits for the heavy limit inside the transform limit.
 */
export function createRenderer(renderer: RendererOptions): ImageRenderer {
  const { limitTransform, limitFetch, onEvent, cache } = renderer

  return (job, signal, onIdentified) => {
    const { origin } = job.original
    const isFile = origin === undefined
    const limitLoad = isFile ? limitTransform : limitFetch(origin)
    return limitLoad(async () => {
      const original = await job.original.read(signal)
      onEvent({ type: 'load', source: job.source, bytes: original.bytes.length })
      checkType(original.bytes)
      const identity = identify(cache, original, job)
      onIdentified(identity)
      await setImmediate() // lets callers leave for whom the identity is enough
      signal.throwIfAborted()
      const render = () => findOrTransform(renderer, original.bytes, identity, job, signal)
      return isFile ? render() : limitTransform(render, signal)
    }, signal)
  }
}

/** Returns a text that identifies an image among those of one original. */
export function variantOf(options: ProcessingOptions, accepted: readonly ModernFormat[]): string {
  const { resize, width, height, gravity, quality, format } = options
  // The accepted formats, not the Accept header itself, of which there is any number.
  return JSON.stringify([resize, width, height, gravity, quality, format ?? accepted])
}

function identify(cache: ImageCache, { bytes, version }: Original, { options, accepted }: RenderJob): ImageIdentity {
  const originalDigest = digestOf(bytes)
  return { etag: cache.etagOf(originalDigest, variantOf(options, accepted)), originalDigest, version }
}

async function findOrTransform(
  { cache, transform, maxPixels, limitHeavy, onEvent }: RendererOptions,
  bytes: Uint8Array,
  { etag, originalDigest, version }: ImageIdentity,
  { source, options, accepted }: RenderJob,
  signal: AbortSignal,
): Promise<EncodedImage> {
  // The same content may be cached already, from another path or an earlier version.
  let image = await cache.getImage(etag)
  if (image) onEvent({ type: 'hit', source })
  else {
    const header = await inspectImage(bytes, maxPixels)
    const pixels = outputPixels(header, options)
    const format = options.format ?? chooseFormat({ ...header, pixels }, accepted)
    const start = performance.now()
    const run = () => transform(bytes, header, options, format)
    const body = await (isHeavy(header, pixels) ? limitHeavy(run, signal) : run())
    onEvent({ type: 'transform', source, format, bytes: body.length, milliseconds: performance.now() - start })
    image = { etag, type: `image/${format}`, body }
    cache.setImage(image)
  }
  if (version !== undefined) cache.setDigest(version, originalDigest)
  return image
}
