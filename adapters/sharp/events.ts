import type { Format } from './transforms/formats.js'

/** What the service did, for counters and tests. */
export type ImageServiceEvent =
  /** Answered from the cache. */
  | { type: 'hit'; source: string }
  /** Answered with 304. */
  | { type: 'not-modified'; source: string }
  /** Read or fetched an original. */
  | { type: 'load'; source: string; bytes: number }
  /** Decoded and encoded. */
  | { type: 'transform'; source: string; format: Format; bytes: number; milliseconds: number }
  /** Answered with an error; the reason may name what visitors are not told. */
  | { type: 'failure'; status: number; reason: string }

/** Told of each event as it happens. */
export type Observe = (event: ImageServiceEvent) => void
