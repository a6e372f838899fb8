import type { Stamp } from '../../../core/cache/index.js'

const maxStamps = 1_000

/** Remembers when each stamp became known, to find the one that was current before a render began. */
export interface StampHistory {
  /** Adds the stamp that the tag index has just returned. */
  add(stamp: Stamp): void
  /** Returns the last stamp that was known at a time; `undefined` when there was none, or it is no longer remembered. */
  at(time: number): Stamp | undefined
}

/**
 * Creates an empty history.
 *
 * @param clock A clock that never goes back. Times are its values.
 */
export function createStampHistory(clock: () => number): StampHistory {
  const known: { stamp: Stamp; since: number }[] = []
  return {
    add(stamp) {
      const last = known.at(-1)?.stamp
      if (last?.epoch === stamp.epoch && last.sequence === stamp.sequence) return
      known.push({ stamp, since: clock() })
      if (known.length > maxStamps) known.shift()
    },
    at: (time) => known.findLast(({ since }) => since <= time)?.stamp,
  }
}
