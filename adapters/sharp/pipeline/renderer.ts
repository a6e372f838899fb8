import { setImmediate } from 'node:timers/promises'
import type { ImageOptions } from '../../../core/image/imgproxy/processing-options.js'
import type { Observe } from '../events.js'
import type { Picture } from '../requests/responses.js'
import type { Original, Place } from '../sources/original-source.js'
import { chooseFormat, type ModernFormat } from '../transforms/formats.js'
import { checkType, inspectImage } from '../transforms/inspect.js'
import { isHeavy, outputPixels } from '../transforms/memory-cost.js'
import type { Transform } from '../transforms/transform.js'
import { digestOf } from './etag.js'
import type { Catalog } from './image-cache.js'
import type { Slots } from './limiter.js'

/** A picture that is wanted. */
export interface Order {
  /** As the site wrote it; for the log only. */
  source: string
  place: Place
  options: ImageOptions
  accepted: readonly ModernFormat[]
}

/** What is known of a picture once its original was read. */
export interface Identity {
  etag: string
  digest: string
  version: string | undefined
}

export interface PictureMakerOptions {
  catalog: Catalog
  transform: Transform
  maxPixels: number
  inTransformSlot: Slots
  inHeavySlot: Slots
  inFetchSlot: Slots
  observe: Observe
}

/** Makes a picture; says what it is before it begins to decode. */
export type PictureMaker = (order: Order, signal: AbortSignal, announce: (early: Identity) => void) => Promise<Picture>

/**
 * Creates the function that reads an original, announces what it is, and makes a picture out of it unless the signal
 * says by then that nobody wants it.
 *
 * Memory is bounded by where the slots are: a file is read only in a transform slot, so what waits holds nothing; what
 * was fetched keeps its fetch slot until it is transformed, and a slow origin holds up other fetches only. Whoever has
 * a transform slot and needs much memory waits for the heavy slot in it.
 */
export function createPictureMaker(maker: PictureMakerOptions): PictureMaker {
  const { inTransformSlot, inFetchSlot, observe, catalog } = maker

  return (order, signal, announce) => {
    const { place, source } = order
    const isFile = place.kind === 'file'
    const load = isFile ? inTransformSlot : inFetchSlot
    return load(async () => {
      const original = await place.read(signal)
      observe({ type: 'load', source, bytes: original.bytes.length })
      checkType(original.bytes)
      const identity = identify(catalog, original, order)
      announce(identity)
      await setImmediate() // whoever has enough with that leaves now
      signal.throwIfAborted()
      const make = () => findOrTransform(maker, original.bytes, identity, order, signal)
      return isFile ? make() : inTransformSlot(make, signal)
    }, signal)
  }
}

/** What tells one picture of an original from another, as text. */
export function variantOf(options: ImageOptions, accepted: readonly ModernFormat[]): string {
  const { resize, width, height, gravity, quality, format } = options
  // Accept headers differ without end, what follows from them does not.
  return JSON.stringify([resize, width, height, gravity, quality, format ?? accepted])
}

function identify(catalog: Catalog, { bytes, version }: Original, { options, accepted }: Order): Identity {
  const digest = digestOf(bytes)
  return { etag: catalog.etagOf(digest, variantOf(options, accepted)), digest, version }
}

async function findOrTransform(
  { catalog, transform, maxPixels, inHeavySlot, observe }: PictureMakerOptions,
  bytes: Uint8Array,
  { etag, digest, version }: Identity,
  { source, options, accepted }: Order,
  signal: AbortSignal,
): Promise<Picture> {
  // The same content may have been here before, under another name or time.
  let picture = await catalog.picture(etag)
  if (picture) observe({ type: 'hit', source })
  else {
    const header = await inspectImage(bytes, maxPixels)
    const pixels = outputPixels(header, options)
    const format = options.format ?? chooseFormat({ ...header, pixels }, accepted)
    const start = performance.now()
    const make = () => transform(bytes, header, options, format)
    const body = await (isHeavy(header, pixels) ? inHeavySlot(make, signal) : make())
    observe({ type: 'transform', source, format, bytes: body.length, milliseconds: performance.now() - start })
    picture = { etag, type: `image/${format}`, body }
    catalog.rememberPicture(picture)
  }
  if (version !== undefined) catalog.rememberDigest(version, digest)
  return picture
}
