import { LRUCache } from 'lru-cache'
import { CorruptOriginal, ImageFailure, RejectedOriginal, TransformFailure } from '../failure.js'
import type { Stage } from '../transforms/render-image.js'

const defaultTtl = 5 * 60_000
// Somebody may have put another one there.
const rejectionTtl = 60_000
const maxOriginals = 1_000
const maxRejections = 10_000
/** An original that failed in so many variants fails in all. */
const maxVariants = 3
/** An origin that has sent so many slow originals may send any number of them, no two of them the same. */
const maxSlowOriginals = 3

/** Names of an original that was read: by its content, and by its address. */
export interface OriginalNames {
  digest: string
  /** `undefined` for a file that changed while it was read. */
  version: string | undefined
}

/** An original that was read. */
export interface ReadOriginal {
  digest: string
  /** `undefined` for a file. */
  origin: string | undefined
}

/** Images that cannot be made, so that they are not tried again and again, and originals that cost a lot. */
export interface FailedImages {
  /**
   * @param original Its digest or version.
   * @throws ImageFailure when this image, or several others of the original, failed a short time ago.
   */
  check(original: string, variant: string): void
  /**
   * Remembers a `TransformFailure`; a `CorruptOriginal` by its digest only, since its upload may not have ended yet. Other errors
   * are not the doing of the image, or found out at once.
   */
  add(original: OriginalNames, variant: string, error: unknown): void
  /**
   * Remembers for a minute what was 422, so that the original is not read for each request: a `RejectedOriginal` for all
   * its images, others for this one.
   */
  addRejection(version: string, variant: string, error: unknown): void
  /** The first stage for images of an original: the last one if one of them failed, else the one after any it was too slow for. */
  stageOf(digest: string): Stage
  /** Whether several originals of a remote origin were too slow for a stage. */
  isSlowOrigin(origin: string | undefined): boolean
  /** Remembers that an image was too slow for a stage. */
  addSlow(original: ReadOriginal, stage: Stage): void
}

/**
 * Creates an empty list, bounded to 1,000 originals.
 *
 * @param ttl Milliseconds for which an original is remembered after its last failure. Default 300,000: five minutes.
 */
export function createFailedImages(ttl = defaultTtl): FailedImages {
  // Two names each.
  const failures = new LRUCache<string, Map<string, ImageFailure>>({ max: 2 * maxOriginals, ttl })
  const stages = new LRUCache<string, Stage>({ max: maxOriginals, ttl })
  // Bounded: each origin is that of a configured prefix. Of files there are only as many as somebody has put there.
  const slowOriginals = new LRUCache<string, number>({ max: maxOriginals, ttl })
  const rejections = new LRUCache<string, ImageFailure>({ max: maxRejections, ttl: Math.min(ttl, rejectionTtl) })

  const addFailure = (original: string, variant: string, failure: ImageFailure) => {
    const byVariant = failures.get(original) ?? new Map()
    failures.set(original, byVariant.set(variant, failure))
  }
  return {
    check(original, variant) {
      const rejection = rejections.get(original) ?? rejections.get(imageKey(original, variant))
      if (rejection) throw rejection
      const byVariant = failures.get(original)
      if (!byVariant) return
      const [first] = byVariant.values()
      const failure = byVariant.get(variant) ?? (byVariant.size >= maxVariants ? first : undefined)
      if (failure) throw failure
    },

    add({ digest, version }, variant, error) {
      if (error instanceof CorruptOriginal) addFailure(digest, variant, error)
      if (!(error instanceof TransformFailure)) return
      addFailure(digest, variant, error)
      if (version !== undefined) addFailure(version, variant, error)
    },

    addRejection(version, variant, error) {
      // Those of transforms are remembered for longer.
      if (!(error instanceof ImageFailure) || error.status !== 422 || error instanceof TransformFailure) return
      rejections.set(error instanceof RejectedOriginal ? version : imageKey(version, variant), error)
    },

    stageOf: (digest) => (failures.has(digest) ? 'second' : (stages.get(digest) ?? 'light')),

    isSlowOrigin: (origin = '') => (slowOriginals.get(origin) ?? 0) >= maxSlowOriginals,

    addSlow({ digest, origin }, stage) {
      if (origin !== undefined && !stages.has(digest)) slowOriginals.set(origin, (slowOriginals.get(origin) ?? 0) + 1)
      stages.set(digest, stage === 'light' ? 'heavy' : 'second')
    },
  }
}

function imageKey(version: string, variant: string): string {
  return `${version}\n${variant}`
}
