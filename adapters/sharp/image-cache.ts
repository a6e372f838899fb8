import { hash } from 'node:crypto'
import { chain, type MaybePromise } from '../../core/async.js'
import type { Stamp, StoredValue } from '../../core/cache/index.js'
import { type GuardedStore, type GuardedTagIndex, isStamp } from '../../core/cache/internal.js'
import { maxSeconds } from '../../core/http/cache-control.js'
import type { ProcessingOptions } from '../../core/image/internal.js'
import type { ModernFormat } from './transforms/formats.js'

/** An image that was rendered. */
export interface EncodedImage {
  etag: string
  /** Media type. */
  type: string
  body: Uint8Array<ArrayBuffer>
}

// No URL begins like these keys, so that pages may be in the same store.
const digestKey = (version: string) => `original\n${version}`
const imageKey = (etag: string) => `image\n${etag}`

/** An original that can be purged: the tag that names it, and the stamp of the tag index when it was asked for. */
export interface Purgeable {
  tag: string
  /** `undefined` while the tag index is unavailable: then no digest is used or stored. */
  stamp: Stamp | undefined
}

// As the image proxy allows other caches. In milliseconds.
const staleTime = 86_400_000

/** Rendered images, and the digests of originals. */
export type ImageCache = ReturnType<typeof createImageCache>

/**
 * Creates the image cache over a store. Images are stored by entity tag, which depends on the content of the original:
 * they survive a deployment that changes the time of every file. A second, tiny entry leads from the version of an
 * original to the digest of its content.
 *
 * @param tagIndex Knows which originals were purged.
 * @param encoderVersion Settings and versions of the encoders. When they change, all cached images are invalid.
 */
export function createImageCache(store: GuardedStore, tagIndex: GuardedTagIndex, encoderVersion: string) {
  const get = <T>(key: string, read: (value: StoredValue, age: number) => MaybePromise<T | undefined>) =>
    chain(store.get(key), (hit) => (hit?.entry.kind === 'value' ? read(hit.entry, hit.age) : undefined))
  return {
    /**
     * Returns the strong entity tag (RFC 9110, section 8.8.3) of a variant of an original. It depends on everything that the
     * image is made from and on nothing else: so it is the same on every instance and after a restart, and known before
     * anything is decoded.
     */
    etagOf: (originalDigest: string, variant: string) =>
      `"${digestOf([originalDigest, variant, encoderVersion].join('\n'))}"`,

    /**
     * Returns the digest of a version of an original that was not purged since: as out of date when it was stored `ttl`
     * milliseconds ago. Then it may be used for a day more, while the original is fetched again.
     */
    getDigest(version: string, ttl: number, purgeable: Purgeable | undefined) {
      if (purgeable && !purgeable.stamp) return undefined
      return get(digestKey(version), ({ metadata: { digest, stamp } }, age) => {
        if (age * 1000 >= ttl + staleTime || typeof digest !== 'string') return undefined
        const known = { digest, isOutOfDate: age * 1000 >= ttl }
        if (!purgeable) return known
        if (!isStamp(stamp)) return undefined
        return chain(tagIndex.purgedSince(stamp, [purgeable.tag]), (purged) => (purged === 'none' ? known : undefined))
      })
    },

    /** Stores the digest of a version. Only after an image was rendered, so that corrupt originals are read again. */
    setDigest(version: string, digest: string, purgeable: Purgeable | undefined) {
      if (purgeable && !purgeable.stamp) return
      void store.set(digestKey(version), toValue({ digest, ...(purgeable && { stamp: purgeable.stamp }) }))
    },

    deleteDigest: (version: string) => void store.delete(digestKey(version)),

    getImage: (etag: string) =>
      get<EncodedImage>(imageKey(etag), ({ metadata: { type }, body }) =>
        typeof type === 'string' ? { etag, type, body } : undefined,
      ),

    // Not awaited: the response need not wait for the disk.
    setImage: ({ etag, type, body }: EncodedImage) => void store.set(imageKey(etag), toValue({ type }, body)),
  }
}

/** Returns a text that identifies an image among those of one original. */
export function variantOf(options: ProcessingOptions, accepted: readonly ModernFormat[]): string {
  const { resize, width, height, gravity, quality, format } = options
  // The accepted formats, not the Accept header itself, of which there is any number.
  return JSON.stringify([resize, width, height, gravity, quality, format ?? accepted])
}

/** Returns the SHA-256 digest (FIPS 180-4) as unpadded base64url. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url')
}

/** Lives until it is evicted: an image that is found by its content is never out of date. */
function toValue(metadata: StoredValue['metadata'], body = new Uint8Array()): StoredValue {
  return { kind: 'value', metadata, body, ttl: maxSeconds }
}
