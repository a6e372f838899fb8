import { lutimes } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Changes } from './changes.js'

// Milliseconds. What was used last is compared in minutes after a restart, and each mark is a write.
const interval = 60_000
const maxWaiting = 1_000
const maxMarked = 10_000

/** Marks files as recently used, by their times, also for the next start and other processes. */
export interface UsageMarks {
  /**
   * Marks a file, unless it was marked within the last minute, or a thousand wait: then it is one of many.
   *
   * @param onMarked Called when it was there.
   */
  mark(name: string, onMarked: () => unknown): void
}

/**
 * Creates the marks of a directory, which are written one after the other. A disk whose writes stall must not take the threads that
 * files are read in.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createUsageMarks(
  directory: string,
  changes: Pick<Changes, 'run'>,
  clock: () => number = () => performance.now(),
): UsageMarks {
  const marked = new LRUCache<string, number>({ max: maxMarked })
  const waiting = new Map<string, () => unknown>()
  let isRunning = false

  const run = async () => {
    isRunning = true
    for (const [name, onMarked] of waiting) {
      const now = new Date()
      // It fails when the file was removed meanwhile.
      await changes.run(() => lutimes(join(directory, name), now, now)).then(onMarked, () => {})
      waiting.delete(name)
    }
    isRunning = false
  }
  return {
    mark(name, onMarked) {
      const now = clock()
      if (waiting.size >= maxWaiting || now - (marked.get(name) ?? Number.NEGATIVE_INFINITY) < interval) return
      marked.set(name, now)
      waiting.set(name, onMarked)
      if (!isRunning) void run()
    },
  }
}
