import { LRUCache } from 'lru-cache'
import { TransformFailure } from '../failure.js'

const defaultTtl = 5 * 60_000
const maxOriginals = 1_000
/** An original that failed in so many variants fails in all. */
const maxVariants = 3

/** Images whose transform was ended or crashed, so that it is not tried again and again. */
export interface FailedImages {
  /** @throws TransformFailure when this image, or several others of the original, failed a short time ago. */
  check(originalDigest: string, variant: string): void
  /** Remembers a failure, unless the error is another one. */
  add(originalDigest: string, variant: string, error: unknown): void
}

/**
 * Creates an empty list, bounded to 1,000 originals.
 *
 * @param ttl Milliseconds for which an original is remembered after its last failure. Default 300,000: five minutes.
 */
export function createFailedImages(ttl = defaultTtl): FailedImages {
  const failures = new LRUCache<string, Map<string, TransformFailure>>({ max: maxOriginals, ttl })
  return {
    check(originalDigest, variant) {
      const byVariant = failures.get(originalDigest)
      if (!byVariant) return
      const [first] = byVariant.values()
      const failure = byVariant.get(variant) ?? (byVariant.size >= maxVariants ? first : undefined)
      if (failure) throw failure
    },
    add(originalDigest, variant, error) {
      if (!(error instanceof TransformFailure)) return
      const byVariant = failures.get(originalDigest) ?? new Map()
      failures.set(originalDigest, byVariant.set(variant, error))
    },
  }
}
