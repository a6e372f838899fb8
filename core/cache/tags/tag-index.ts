import type { MaybePromise } from '../../maybe-promise.js'
import type { Stamp } from '../store/entry.js'

/**
 * How a purge treats stored responses: after a `hard` one, readers wait for the new response; after a `soft` one, the old
 * response is served while the new one renders.
 */
export type PurgeMode = 'soft' | 'hard'

/** The strongest purge of any of an entry's tags since its stamp. */
export type PurgeState = PurgeMode | 'none'

/**
 * Knows which tags were purged, and in which order; not by a clock, but by one sequence number. A purge increments it and
 * records the new number for each tag, separately for hard and soft; both only ever rise. An entry is stale once one of
 * its tags has a higher number than its stamp.
 *
 * An index that lost its state, or may have, starts a new epoch: every entry with another epoch counts as purged hard.
 */
export interface TagIndex {
  /**
   * Returns the stamp that is current at some moment after the call. A purge that was acknowledged before the call is
   * included. When the stamp cannot be determined, returns `undefined` or rejects: then nothing is stored or reused.
   */
  stamp(): MaybePromise<Stamp | undefined>
  /** Returns whether any of the tags was purged since a stamp, as of some moment after the call. */
  purgedSince(stamp: Stamp, tags: readonly string[]): MaybePromise<PurgeState>
  /** Purges all the tags at once. Resolving acknowledges the purge; rejects when its success is uncertain. */
  purge(tags: readonly string[], mode: PurgeMode): MaybePromise<void>
}
