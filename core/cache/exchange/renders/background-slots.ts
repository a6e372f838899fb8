/** Bounds the renders that no client waits for. */
export interface BackgroundSlots {
  /**
   * Returns the function that frees a slot again, or `undefined` when all are in use. For a page of the site that is served
   * stale: one at a time for each URL, and for its other variants as {@link BackgroundSlots.takeSpare}.
   */
  take(url: string): (() => void) | undefined
  /**
   * As {@link BackgroundSlots.take}, while more than half of the slots are free. For what strangers can make up or leave
   * behind in any number: the pages of the site would never be rendered again.
   */
  takeSpare(): (() => void) | undefined
}

/** Creates slots for so many renders at a time. */
export function createBackgroundSlots(count: number): BackgroundSlots {
  const urls = new Set<string>()
  let free = count
  const takeAny = (url?: string) => {
    if (free < 1) return undefined
    free--
    if (url !== undefined) urls.add(url)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      free++
      if (url !== undefined) urls.delete(url)
    }
  }
  const takeSpare = () => (free > Math.floor(count / 2) ? takeAny() : undefined)
  return { takeSpare, take: (url) => (urls.has(url) ? takeSpare() : takeAny(url)) }
}
