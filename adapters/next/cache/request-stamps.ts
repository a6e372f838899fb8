import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Stamp } from '../../../core/cache/index.js'

/** Finds the stamp that was current before anything was read that the result of a function may contain. */
export interface RequestStamps {
  /** Notes the stamp that was current when the current request read from the cache. */
  note(stamp: Stamp): void
  /**
   * Notes that the current request begins to fill an entry.
   *
   * @returns The function to call when the value is complete, with the stamp that was known at the start of its render: it returns
   *   the oldest of all that count; `undefined` when their order is not known.
   */
  beginFill(): (known: Stamp | undefined) => Promise<Stamp | undefined>
}

/** The part of Next.js' store of a request that counts. */
interface Work {
  /** Milliseconds, as `performance.timeOrigin + performance.now()`. */
  requestStartTime?: number
}

// Longer ago, no request that is still running can have read the result. Milliseconds.
const rememberedFor = 120_000
// Milliseconds in which a result is noted that another one, which is complete, contains: both are read from the same stream.
const settlingTime = 10
const workStorage = 'next/dist/server/app-render/work-async-storage.external.js'

/**
 * Creates the record of one process. Next.js keeps what a function has returned for the rest of its request, and shares the
 * calls of several requests: a function that calls another one may so get what was read before a purge, although its own render
 * began after it.
 *
 * @param clock A clock that never goes back, as that of Next.js' `requestStartTime`.
 * @param getWork Returns Next.js' store of the current request.
 * @param settle Resolves when all results that a complete one contains are noted.
 */
export function createRequestStamps(
  clock: () => number,
  getWork: () => Work | undefined = findWork(),
  settle: () => Promise<unknown> = () => setTimeout(settlingTime),
): RequestStamps {
  const firstStamps = new WeakMap<Work, Stamp>()
  const ended = createOldestSince()
  return {
    note(stamp) {
      const work = getWork()
      if (work && !firstStamps.has(work)) firstStamps.set(work, stamp)
    },
    beginFill() {
      const work = getWork()
      const own = work && firstStamps.get(work)
      const since = work?.requestStartTime ?? clock()
      return async (known) => {
        const stamp = own ?? known
        if (stamp) ended.add(stamp, clock())
        // What is still running by then is not part of it, however long it takes.
        await settle()
        const rememberedSince = clock() - rememberedFor
        ended.forget(rememberedSince)
        return ended.olderOf(older(known, stamp), Math.max(since, rememberedSince))
      }
    },
  }
}

/** Finds the oldest of the stamps that were added since a time, whatever number of them there is. */
function createOldestSince() {
  // Ascending, of one epoch: what was added before one that is as old is of no more use.
  let stamps: { stamp: Stamp; at: number }[] = []
  // When the last one of another epoch was added.
  let otherAt = Number.NEGATIVE_INFINITY

  const indexAt = (time: number): number => {
    let [low, high] = [0, stamps.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((stamps[middle] as { at: number }).at < time) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    add(stamp: Stamp, at: number) {
      let last = stamps.at(-1)
      if (last && last.stamp.epoch !== stamp.epoch) {
        otherAt = last.at
        stamps = []
      }
      for (; last && last.stamp.sequence >= stamp.sequence; last = stamps.at(-1)) stamps.pop()
      stamps.push({ stamp, at })
    },
    /** Forgets what was added before a time. */
    forget(time: number) {
      const index = indexAt(time)
      if (index > stamps.length / 2) stamps = stamps.slice(index)
    },
    /** Returns the oldest of a stamp and those that were added since a time; `undefined` when their order is not known. */
    olderOf(stamp: Stamp | undefined, since: number): Stamp | undefined {
      if (since <= otherAt) return undefined
      const first = stamps[indexAt(since)]
      return first ? older(stamp, first.stamp) : stamp
    },
  }
}

function older(a: Stamp | undefined, b: Stamp | undefined): Stamp | undefined {
  if (!a || !b || a.epoch !== b.epoch) return undefined
  return a.sequence <= b.sequence ? a : b
}

/** Next.js' own storage; a function that finds nothing where it has none. */
function findWork(): () => Work | undefined {
  try {
    const require = createRequire(join(process.cwd(), 'any.js'))
    const { workAsyncStorage } = require(workStorage) as { workAsyncStorage?: { getStore(): Work | undefined } }
    return () => workAsyncStorage?.getStore()
  } catch {
    return () => undefined
  }
}
