import { TimeoutError } from '../../../timeout.js'
import { createBoundedMap } from '../../bounded-map.js'

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
   * and for its other variants as {@link BackgroundSlots.takeSpare}. A quarter of the slots is for pages that are not known to
   * take long. When there is none left, the oldest that has had twice the time that it took before gives its own up.
   *
   * So no slow render, such as that of a variant that a stranger asks for, keeps another page old for long, and what has to
   * give up its slot has more time when it is rendered again.
   *
   * @param key Of the variant that is rendered.
   */
  take(url: string, key: string): BackgroundSlot | undefined
  /**
   * As {@link BackgroundSlots.take}, while more than half of the slots are free. For what strangers can make up or leave
   * behind in any number: the pages of the site would never be rendered again.
   */
  takeSpare(key: string): BackgroundSlot | undefined
  /** Notes how long a render of a key took, in milliseconds. */
  note(key: string, duration: number): void
}

interface Held extends BackgroundSlot {
  isOver(): boolean
  end(): void
}

// What takes longer is slow; what has not been rendered before has so much time.
const quickTime = 5_000

/**
 * Creates slots for so many renders at a time.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createBackgroundSlots(count: number, clock: () => number = () => performance.now()): BackgroundSlots {
  const durations = createBoundedMap<number>()
  const claims = new Set<string>()
  const held = new Set<Held>() // the oldest first
  const durationOf = (key: string) => durations.get(key) ?? 0
  const isSlow = (key: string) => durationOf(key) >= quickTime

  const hold = (share: number, key: string, claim?: string): BackgroundSlot | undefined => {
    if (held.size >= Math.ceil(count * share)) return undefined
    if (claim !== undefined) claims.add(claim)
    const ending = new AbortController()
    const since = clock()
    const time = Math.max(quickTime, 2 * durationOf(key))
    const slot: Held = {
      signal: ending.signal,
      isOver: () => clock() - since >= time,
      free() {
        if (held.delete(slot) && claim !== undefined) claims.delete(claim)
      },
      end() {
        slot.free()
        durations.set(key, Math.max(durationOf(key), clock() - since))
        ending.abort(new TimeoutError('ended for another page'))
      },
    }
    held.add(slot)
    return slot
  }

  const takeSpare = (key: string) => hold(1 / 2, key)

  return {
    takeSpare,
    take(url, key) {
      // Apart: a variant that is slow must not keep the others of its page waiting.
      const claim = `${isSlow(key)} ${url}`
      const share = isSlow(key) ? 3 / 4 : 1
      const slot = claims.has(claim) ? takeSpare(key) : hold(share, key, claim)
      if (slot) return slot
      const oldest = [...held].find(({ isOver }) => isOver())
      oldest?.end()
      return oldest && hold(1, key, claims.has(claim) ? undefined : claim)
    },
    note: (key, duration) => void durations.set(key, duration),
  }
}
