import type { ProcessingOptions } from '../../../core/image/internal.js'
import type { ModernFormat } from '../transforms/formats.js'
import type { Purgeable } from './image-cache.js'

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
export function attemptOf({ version, purgeable }: VersionedOriginal): string {
  return purgeable ? `${version}\n${purgeable.stamp?.epoch}\n${purgeable.stamp?.sequence}` : version
}

/**
 * Returns a text that identifies an original among those that are being read, for requests that share what comes of it. While the
 * tag index is unavailable, it changes each second: whether the original was purged meanwhile is unknown.
 */
export function sharedAttemptOf(original: VersionedOriginal): string {
  const { purgeable } = original
  const isUnknown = purgeable && !purgeable.stamp
  return `${attemptOf(original)}${isUnknown ? `\n${Math.floor(performance.now() / 1_000)}` : ''}`
}

/** What is known of an original before it was read. */
interface VersionedOriginal {
  version: string
  /** `undefined` for a file. */
  purgeable: Purgeable | undefined
}
