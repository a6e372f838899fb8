/** Bounds the renders that no client waits for. */
export interface BackgroundSlots {
  /** Returns the function that frees a slot again, or `undefined` when all are in use. For a page that is served stale. */
  take(): (() => void) | undefined
  /**
   * As {@link BackgroundSlots.take}, while more than half of the slots are free. For what a client has left behind: anybody
   * can leave any number of renders, and stale pages would never be rendered again.
   */
  takeSpare(): (() => void) | undefined
}

/** Creates slots for so many renders at a time. */
export function createBackgroundSlots(count: number): BackgroundSlots {
  let free = count
  const take = () => {
    if (free < 1) return undefined
    free--
    let isTaken = true
    return () => {
      if (isTaken) free++
      isTaken = false
    }
  }
  return { take, takeSpare: () => (free > Math.floor(count / 2) ? take() : undefined) }
}
