import { hash } from 'node:crypto'
import { chain, type MaybePromise } from '../../core/async.js'
import type { Stamp, StoredValue } from '../../core/cache/index.js'
import { type GuardedStore, type GuardedTagIndex, isStamp } from '../../core/cache/internal.js'
import { maxSeconds } from '../../core/http/cache-control.js'
import { imageFormats } from '../../core/image/internal.js'
import type { Original, OriginState } from './sources/original.js'
import type { ImageVariant, RenderedImage } from './transforms/task.js'

/** A rendered image. */
export interface EncodedImage {
  etag: string
  /** Media type. */
  type: string
  body: Uint8Array<ArrayBuffer>
  /** Whether it was encoded again for fewer bytes. */
  isRefined?: boolean
}

// Beginnings of keys. No URL begins like them, so the same store can also hold pages.
const originals = 'original\n'
const images = 'image\n'

/**
 * Identifies an original that can be purged: its tag, and the stamp of the tag index when the original was requested.
 */
export interface Purgeable {
  tag: string
  /** `undefined` while the tag index is unavailable; no digest is used or stored then. */
  stamp: Stamp | undefined
}

/** The content of an original that was read before. */
export interface KnownOriginal {
  digest: string
  /** The state that its origin sent; `undefined` if the origin cannot be asked whether the original has changed. */
  state?: OriginState
}

/** An original that is in memory, or that is known to be unchanged. */
export interface LoadedOriginal extends Original {
  digest: string
}

// In milliseconds: a day, which is also how long the image proxy lets other caches use an old image.
const staleTime = 86_400_000

/** Caches rendered images and the digests of originals. */
export type ImageCache = ReturnType<typeof createImageCache>

/**
 * Creates the image cache on top of a store. Images are stored by entity tag, which depends on the content of the
 * original, so they survive a deployment that changes the timestamp of every file. A second, tiny entry maps the
 * version of an original to the digest of its content.
 *
 * @param tagIndex Knows which originals were purged.
 * @param encoderVersion Settings and versions of the encoders. When they change, all cached images are invalid.
 */
export function createImageCache(store: GuardedStore, tagIndex: GuardedTagIndex, encoderVersion: string) {
  const get = <T>(key: string, read: (value: StoredValue, age: number) => MaybePromise<T | undefined>) =>
    chain(store.get(key), (hit) => (hit?.entry.kind === 'value' ? read(hit.entry, hit.age) : undefined))
  return {
    /**
     * Returns the strong entity tag (RFC 9110, section 8.8.3) of a variant of an original. It depends on everything
     * that the image is made from and nothing else, so it is the same on every instance and after a restart, and is
     * known before anything is decoded.
     */
    etagOf: (originalDigest: string, variant: string) =>
      `"${digestOf([originalDigest, variant, encoderVersion].join('\n'))}"`,

    /**
     * Returns the digest of a version of an original, unless the original has been purged since. A digest is out of
     * date after the time that the origin set, or otherwise after `ttl` milliseconds. It may then be used for one more
     * day, while the original is fetched again.
     */
    getDigest(version: string, ttl: number, purgeable: Purgeable | undefined) {
      if (purgeable && !purgeable.stamp) return undefined
      return get(originals + version, ({ metadata: { digest, stamp, state } }, age) => {
        const { maxAge, etag, modified } = (state ?? {}) as OriginState
        const lifetime = maxAge === undefined ? ttl : maxAge * 1000
        if (age * 1000 >= lifetime + staleTime || typeof digest !== 'string') return undefined
        const isOutOfDate = age * 1000 >= lifetime
        const hasValidator = (etag ?? modified) !== undefined
        const known = { digest, isOutOfDate, ...(hasValidator && { state: state as OriginState }) }
        if (!purgeable) return known
        if (!isStamp(stamp)) return undefined
        return chain(tagIndex.purgedSince(stamp, [purgeable.tag]), (purged) => (purged === 'none' ? known : undefined))
      })
    },

    /**
     * Stores the digest of a version. Call it only after an image was rendered, so that corrupt originals are read
     * again.
     */
    setDigest({ version, digest, state }: LoadedOriginal, purgeable: Purgeable | undefined) {
      if (version === undefined || (purgeable && !purgeable.stamp)) return
      const metadata = { digest, ...(purgeable && { stamp: purgeable.stamp }), ...(state && { state: { ...state } }) }
      void store.set(originals + version, toValue(metadata))
    },

    deleteDigest: (version: string) => void store.delete(originals + version),

    /** Returns the image of an entity tag, or the refined image that has replaced it, with its own entity tag. */
    getImage: (etag: string) =>
      get<EncodedImage>(images + etag, ({ metadata: { type, isRefined = false }, body }) => {
        if (typeof type !== 'string') return undefined
        return isRefined ? { etag: refinedTagOf(etag), type, body, isRefined: true } : { etag, type, body }
      }),

    /** Stores an image, and returns it. Does not wait for the disk. */
    setImage(etag: string, { format, body }: RenderedImage, isRefined = false): EncodedImage {
      const type = format === 'json' ? 'application/json' : imageFormats[format].mediaType
      void store.set(images + etag, toValue({ type, isRefined }, body))
      return { etag, type, body }
    },
  }
}

/**
 * Returns a string that identifies an image among all images of the same original. Entity tags contain it, so it has the form and the
 * properties of the first version of this package: if it changed, every stored image would be made again.
 */
export function variantOf({ box, accepted, isDescription, card }: ImageVariant): string {
  const { width, height, gravity } = box
  const resize = gravity === undefined ? 'fit' : 'fill-down'
  const format = isDescription ? 'json' : accepted
  return JSON.stringify({ resize, width, height, gravity: gravity ?? { x: 0.5, y: 0.5 }, quality: 0, format, card })
}

/** Returns the entity tag of the refined image that replaces another one. */
export function refinedTagOf(etag: string): string {
  return `${etag.slice(0, -1)}-refined"`
}

/** Returns the SHA-256 digest (FIPS 180-4) as unpadded base64url. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url')
}

/** Creates an entry that lives until it is evicted: an image that is found by its content is never out of date. */
function toValue(metadata: StoredValue['metadata'], body = new Uint8Array()): StoredValue {
  return { kind: 'value', metadata, body, ttl: maxSeconds }
}
