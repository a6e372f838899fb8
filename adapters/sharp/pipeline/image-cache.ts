import { chain, type MaybePromise } from '../../../core/async.js'
import type { Stamp, StoredValue } from '../../../core/cache/index.js'
import { type GuardedStore, type GuardedTagIndex, isStamp } from '../../../core/cache/internal.js'
import { maxSeconds } from '../../../core/http/cache-control.js'
import { etagOf } from './etag.js'

/** An image that was rendered. */
export interface EncodedImage {
  etag: string
  /** Media type. */
  type: string
  body: Uint8Array<ArrayBuffer>
}

/** An original that can be purged: the tag that names it, and the stamp of the tag index when it was asked for. */
export interface Purgeable {
  tag: string
  /** `undefined` while the tag index is unavailable: then no digest is used or stored. */
  stamp: Stamp | undefined
}

/** The digest that a version of an original had when it was read. */
export interface KnownDigest {
  digest: string
  isOutOfDate: boolean
}

// As the image proxy allows other caches. In milliseconds.
const staleIfError = 86_400_000

/** Rendered images, and the digests of originals. */
export interface ImageCache {
  /** Returns the entity tag that a variant of an original has. */
  etagOf(originalDigest: string, variant: string): string
  /**
   * Returns the digest of a version of an original that was not purged since: as out of date when it was stored `ttl`
   * milliseconds ago. It can stand in for a failure for a day more.
   */
  getDigest(version: string, ttl: number, purgeable: Purgeable | undefined): MaybePromise<KnownDigest | undefined>
  /** Stores the digest of a version. Only after an image was rendered, so that corrupt originals are read again. */
  setDigest(version: string, digest: string, purgeable: Purgeable | undefined): void
  deleteDigest(version: string): void
  getImage(etag: string): MaybePromise<EncodedImage | undefined>
  setImage(image: EncodedImage): void
}

/**
 * Creates the image cache over a store. Images are stored by entity tag, which depends on the content of the original:
 * they survive a deployment that changes the time of every file. A second, tiny entry leads from the version of an
 * original to the digest of its content.
 *
 * @param tagIndex Knows which originals were purged.
 * @param encoderVersion Settings and versions of the encoders. When they change, all cached images are invalid.
 */
export function createImageCache(store: GuardedStore, tagIndex: GuardedTagIndex, encoderVersion: string): ImageCache {
  const get = <T>(
    key: string,
    read: (value: StoredValue, age: number) => MaybePromise<T | undefined>,
  ): MaybePromise<T | undefined> =>
    chain(store.get(key), (hit) => (hit?.entry.kind === 'value' ? read(hit.entry, hit.age) : undefined))
  return {
    etagOf: (originalDigest, variant) => etagOf(originalDigest, variant, encoderVersion),

    getDigest(version, ttl, purgeable) {
      if (purgeable && !purgeable.stamp) return undefined
      return get(digestKey(version), ({ metadata: { digest, stamp } }, age) => {
        if (age * 1000 >= ttl + staleIfError || typeof digest !== 'string') return undefined
        const known = { digest, isOutOfDate: age * 1000 >= ttl }
        if (!purgeable) return known
        if (!isStamp(stamp)) return undefined
        return chain(tagIndex.purgedSince(stamp, [purgeable.tag]), (purged) => (purged === 'none' ? known : undefined))
      })
    },

    setDigest(version, digest, purgeable) {
      if (purgeable && !purgeable.stamp) return
      void store.set(digestKey(version), toValue({ digest, ...(purgeable && { stamp: purgeable.stamp }) }))
    },

    deleteDigest: (version) => void store.delete(digestKey(version)),

    getImage: (etag) =>
      get(imageKey(etag), ({ metadata: { type }, body }) =>
        typeof type === 'string' ? { etag, type, body } : undefined,
      ),

    // Not awaited: the response need not wait for the disk.
    setImage({ etag, type, body }) {
      void store.set(imageKey(etag), toValue({ type }, body))
    },
  }
}

// No URL begins like these keys, so that pages may be in the same store.
function digestKey(version: string): string {
  return `original\n${version}`
}

function imageKey(etag: string): string {
  return `image\n${etag}`
}

/** Lives until it is evicted: an image that is found by its content is never out of date. */
function toValue(metadata: StoredValue['metadata'], body = new Uint8Array()): StoredValue {
  return { kind: 'value', metadata, body, ttl: maxSeconds }
}
