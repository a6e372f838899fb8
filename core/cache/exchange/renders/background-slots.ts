import { TimeoutError } from '../../../timeout.js'

/** A place among the renders that no client waits for. */
export interface BackgroundSlot {
  /** Aborts with a `TimeoutError` when another render gets the place. */
  signal: AbortSignal
  free(): void
}

/** Bounds the renders that no client waits for. */
export interface BackgroundSlots {
  /**
   * Returns a slot, or `undefined` when all are in use. For a page of the site that is served stale: one at a time for each URL,
   * and for its other variants as {@link BackgroundSlots.takeSpare}. What has had a slot for twenty seconds gives it up to a page
   * that gets none, so that no slow render, such as that of a variant that a stranger asks for, keeps another page old.
   */
  take(url: string): BackgroundSlot | undefined
  /**
   * As {@link BackgroundSlots.take}, while more than half of the slots are free. For what strangers can make up or leave
   * behind in any number: the pages of the site would never be rendered again.
   */
  takeSpare(): BackgroundSlot | undefined
}

interface Held extends BackgroundSlot {
  since: number
  end(): void
}

// Longer than the pages of a slow site take: they would end each other.
const minTime = 20_000

/**
 * Creates slots for so many renders at a time.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createBackgroundSlots(count: number, clock: () => number = () => performance.now()): BackgroundSlots {
  const urls = new Set<string>()
  const held = new Set<Held>() // the oldest first
  const takeAny = (url?: string): BackgroundSlot | undefined => {
    if (held.size >= count) return undefined
    if (url !== undefined) urls.add(url)
    const ending = new AbortController()
    const slot: Held = {
      since: clock(),
      signal: ending.signal,
      free() {
        if (held.delete(slot) && url !== undefined) urls.delete(url)
      },
      end() {
        slot.free()
        ending.abort(new TimeoutError('ended for another page'))
      },
    }
    held.add(slot)
    return slot
  }
  const takeSpare = () => (held.size < Math.ceil(count / 2) ? takeAny() : undefined)
  const takeOldest = (url: string) => {
    const [oldest] = held
    if (!oldest || clock() - oldest.since < minTime) return undefined
    oldest.end()
    return takeAny(urls.has(url) ? undefined : url)
  }
  return { takeSpare, take: (url) => (urls.has(url) ? takeSpare() : takeAny(url)) ?? takeOldest(url) }
}
