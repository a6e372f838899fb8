/** Bounds the renders that no client waits for. */
export interface BackgroundSlots {
  /** Returns the function that frees a slot again, or `undefined` when all are in use. */
  take(): (() => void) | undefined
}

/** Creates slots for so many renders at a time. */
export function createBackgroundSlots(count: number): BackgroundSlots {
  let free = count
  return {
    take() {
      if (free < 1) return undefined
      free--
      let isTaken = true
      return () => {
        if (isTaken) free++
        isTaken = false
      }
    },
  }
}
