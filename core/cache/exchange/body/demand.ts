import type { ByteBudget } from '../../../byte-budget.js'
import { type HeldReader, minMeasured } from '../../../held-reader.js'
import { withTimeout } from '../../../timeout.js'
import type { Event } from './event.js'
import type { PieceList } from './piece-list.js'

// Milliseconds for which a reader waits for others, all in all, where the budget has no room for what only that one has read.
const maxLag = 1_000
// How far ahead of its fastest reader a body is collected while the budget is crowded, until it shows how fast that one is: what is
// asked for and not read must not take the room of what is read, yet the page of a slow client is to be stored.
const maxAhead = 256 * 1024
// Milliseconds after which the budget is asked again meanwhile.
const interval = 100

export interface DemandOptions {
  list: Pick<PieceList, 'isCollecting' | 'last' | 'lacksRoom' | 'reserveLater'>
  readers: ReadonlySet<HeldReader>
  /** A reader has gone on, or has left. */
  progress: Event
  budget: Pick<ByteBudget, 'isCrowded'>
  /** Whether others wait for the complete body. */
  isAwaited(): boolean
  /** Whether there are no more pieces. */
  isEnded(): boolean
  /** Drops the readers that have not read all pieces. */
  dropUnread(): void
}

/**
 * Creates the function that resolves when another piece of a body is wanted; `false`: by nobody any more.
 *
 * What is collected is wanted at once; not far ahead of the fastest reader, for a second, where the budget is crowded. What is not is
 * wanted at the pace of the fastest reader. While the budget lacks room, that one waits for the others, which are dropped once it
 * has done so for a second.
 */
export function createDemand(options: DemandOptions): () => Promise<boolean> {
  const { list, readers, progress, budget, isAwaited, isEnded, dropUnread } = options
  let pace = 0 // milliseconds
  let lag = 0 // milliseconds

  const isFarAhead = () =>
    budget.isCrowded() && readers.size > 0 && !isAwaited() && [...readers].every(({ unread }) => unread() >= maxAhead)
  /** Waits until a reader has gone on, but not for long, and returns how many milliseconds it was. */
  const nextProgress = async () => {
    const start = performance.now()
    await withTimeout(interval, progress.next()).catch(() => {})
    return performance.now() - start
  }

  return async () => {
    while (list.isCollecting() && pace < minMeasured && isFarAhead()) pace += await nextProgress()
    while (!list.isCollecting() && !isEnded() && readers.size > 0) {
      const isDrained = list.last().readers > 0
      if (isDrained && list.lacksRoom()) {
        list.reserveLater()
        if (list.lacksRoom() && lag >= maxLag) dropUnread()
      }
      if (isDrained && !list.lacksRoom()) return true
      if (isDrained) lag += await nextProgress()
      else await progress.next()
    }
    return list.isCollecting()
  }
}
