import { LRUCache } from 'lru-cache'
import { busy, CorruptOriginal, type ImageFailure, OriginalTooLarge, TransformFailure } from '../failure.js'

const defaultTtl = 5 * 60_000
// Somebody may have put a smaller one there.
const tooLargeTtl = 60_000
const maxOriginals = 1_000
/** An original that failed in so many variants fails in all. */
const maxVariants = 3
/** An origin with so many originals that failed gets nothing rendered that is heavy. */
const maxFailedOriginals = 3

/** Names of an original that was read: by its content, and by its address. */
export interface OriginalNames {
  digest: string
  /** `undefined` for a file that changed while it was read. */
  version: string | undefined
  /** `undefined` for a file. */
  origin: string | undefined
}

/** Images whose transform was ended or crashed, or whose original is corrupt or too large, so that they are not tried again and again. */
export interface FailedImages {
  /**
   * @param original Its digest or version.
   * @throws ImageFailure when this image, or several others of the original, failed a short time ago.
   */
  check(original: string, variant: string): void
  /** @throws ImageFailure 503 when several originals of the origin failed a short time ago. */
  checkOrigin(origin: string | undefined): void
  /**
   * Remembers a `TransformFailure`; a `CorruptOriginal` by its digest only, since its upload may not have ended yet. Other errors
   * are not the doing of the image, or found out at once.
   */
  add(original: OriginalNames, variant: string, error: unknown): void
  /** Remembers an `OriginalTooLarge` by its version for a minute, so that it is not downloaded for each request. */
  addUnread(version: string, error: unknown): void
}

/**
 * Creates an empty list, bounded to 1,000 originals.
 *
 * @param ttl Milliseconds for which an original is remembered after its last failure. Default 300,000: five minutes.
 */
export function createFailedImages(ttl = defaultTtl): FailedImages {
  // Two names each.
  const failures = new LRUCache<string, Map<string, ImageFailure>>({ max: 2 * maxOriginals, ttl })
  const tooLarge = new LRUCache<string, OriginalTooLarge>({ max: maxOriginals, ttl: Math.min(ttl, tooLargeTtl) })
  const origins = new Map<string, LRUCache<string, true>>()

  const addFailure = (original: string, variant: string, failure: ImageFailure) => {
    const byVariant = failures.get(original) ?? new Map()
    failures.set(original, byVariant.set(variant, failure))
  }
  const addToOrigin = (origin: string, digest: string) => {
    const failed = origins.get(origin) ?? new LRUCache({ max: maxFailedOriginals, ttl })
    origins.set(origin, failed.set(digest, true))
  }
  return {
    check(original, variant) {
      const unread = tooLarge.get(original)
      if (unread) throw unread
      const byVariant = failures.get(original)
      if (!byVariant) return
      const [first] = byVariant.values()
      const failure = byVariant.get(variant) ?? (byVariant.size >= maxVariants ? first : undefined)
      if (failure) throw failure
    },

    checkOrigin(origin) {
      const failed = origin === undefined ? undefined : origins.get(origin)
      failed?.purgeStale()
      if (failed && failed.size >= maxFailedOriginals) throw busy(new Error(`too many originals of ${origin} failed`))
    },

    add({ digest, version, origin }, variant, error) {
      if (error instanceof CorruptOriginal) addFailure(digest, variant, error)
      if (!(error instanceof TransformFailure)) return
      addFailure(digest, variant, error)
      if (version !== undefined) addFailure(version, variant, error)
      if (origin !== undefined) addToOrigin(origin, digest)
    },

    addUnread(version, error) {
      if (error instanceof OriginalTooLarge) tooLarge.set(version, error)
    },
  }
}
