import type { OutputFormat } from '../../core/image/internal.js'

/** Something that the service did, for metrics and tests. */
export type ImageServiceEvent =
  /** Responded from the cache. */
  | { type: 'hit'; source: string }
  /** Responded with 304. */
  | { type: 'not-modified'; source: string }
  /** Read or fetched an original. */
  | { type: 'load'; source: string; bytes: number }
  /** Decoded an original and encoded an image. */
  | { type: 'transform'; source: string; format: OutputFormat; bytes: number; milliseconds: number }
  /** Responded with an error. The reason may contain what clients must not see. */
  | { type: 'failure'; status: number; reason: string }

/** Receives each event as it happens. */
export type OnEvent = (event: ImageServiceEvent) => void
