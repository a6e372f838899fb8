import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Stamp } from '../../../core/cache/index.js'

/** Finds the stamp that was current before anything was read that the result of a function may contain. */
export interface RequestStamps {
  /** Notes the stamp that was current when the current request read from the cache. */
  note(stamp: Stamp): void
  /**
   * Notes that the current request begins to fill an entry.
   *
   * @returns The function to call at its end, with the stamp that was known at the start of its render: it returns the oldest of
   *   all that count; `undefined` when their order is not known.
   */
  beginFill(): (known: Stamp | undefined) => Stamp | undefined
}

interface Fill {
  stamp: Stamp | undefined
  endedAt: number
}

/** The part of Next.js' store of a request that counts. */
interface Work {
  /** Milliseconds, as `performance.timeOrigin + performance.now()`. */
  requestStartTime?: number
}

// Longer ago, no request that is still running can have read the result. Milliseconds.
const rememberedFor = 120_000
const workStorage = 'next/dist/server/app-render/work-async-storage.external.js'

/**
 * Creates the record of one process. Next.js keeps what a function has returned for the rest of its request, and shares the
 * calls of several requests: a function that calls another one may so get what was read before a purge, although its own render
 * began after it.
 *
 * @param clock A clock that never goes back, as that of Next.js' `requestStartTime`.
 * @param getWork Returns Next.js' store of the current request.
 */
export function createRequestStamps(clock: () => number, getWork: () => Work | undefined = findWork()): RequestStamps {
  const firstStamps = new WeakMap<Work, Stamp>()
  let fills: Fill[] = []
  return {
    note(stamp) {
      const work = getWork()
      if (work && !firstStamps.has(work)) firstStamps.set(work, stamp)
    },
    beginFill() {
      const work = getWork()
      const own = work && firstStamps.get(work)
      const since = work?.requestStartTime ?? clock()
      const fill: Fill = { stamp: own, endedAt: Number.POSITIVE_INFINITY }
      fills.push(fill)
      return (known) => {
        fill.stamp ??= known
        fill.endedAt = clock()
        const overlapping = fills.filter(({ endedAt }) => endedAt >= since)
        fills = fills.filter(({ endedAt }) => endedAt >= clock() - rememberedFor)
        return [known, own ?? known, ...overlapping.map(({ stamp }) => stamp ?? known)].reduce(older)
      }
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
