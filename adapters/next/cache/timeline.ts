import type { Stamp } from '../../../core/cache/index.js'

const most = 1_000

/**
 * Remembers since when each stamp has been known, so that it can be told which one was current before a render began.
 * Times are of one clock that never goes back.
 */
export function createTimeline(clock: () => number) {
  const known: { stamp: Stamp; since: number }[] = []
  return {
    /** A stamp that the index has just given. */
    learn(stamp: Stamp): void {
      const last = known.at(-1)?.stamp
      if (last?.epoch === stamp.epoch && last.sequence === stamp.sequence) return
      known.push({ stamp, since: clock() })
      if (known.length > most) known.shift()
    },
    /** The last stamp that was known at a time; `undefined` when none was, or it is too long ago. */
    at(time: number): Stamp | undefined {
      return known.findLast(({ since }) => since <= time)?.stamp
    },
  }
}
