import type { Changes } from './changes.js'

// Milliseconds for which files are removed before something else of the directory is changed.
const longestTurn = 50

/** Removes files of a directory. */
export interface Removals {
  /** Removes a file before anything else is changed. Rejects when that fails. */
  remove(name: string): Promise<void>
  /** Removes a file in the background: a bound that was lowered may lead to a million of them. */
  add(name: string): void
  /** Whether a file is still to be removed. */
  has(name: string): boolean
  /** Removes files that were added, for so many milliseconds at most, as a part of another change. Never rejects. */
  run(duration: number): Promise<void>
}

export interface RemovalsOptions {
  changes: Changes
  remove: (name: string) => Promise<void>
  /** Whether a file that was added is kept: it was written again, or will be. */
  isKept: (name: string) => boolean
  /** Called with the error where a file cannot be removed in the background. */
  onError: (error: unknown) => void
}

export function createRemovals({ changes, remove, isKept, onError }: RemovalsOptions): Removals {
  const next = new Map<string, Promise<void>>()
  const added = new Set<string>()
  let isRunning = false

  const run = async (duration: number) => {
    const until = performance.now() + duration
    for (const name of added) {
      if (!isKept(name)) await remove(name).catch(onError)
      added.delete(name)
      if (performance.now() >= until) return
    }
  }
  const runAll = async () => {
    isRunning = true
    while (added.size > 0) await changes.run(() => run(longestTurn))
    isRunning = false
  }
  const removeNext = async (name: string) => {
    try {
      await remove(name)
    } finally {
      next.delete(name)
    }
  }
  return {
    run,
    remove(name) {
      const removal = next.get(name) ?? changes.runNext(() => removeNext(name))
      next.set(name, removal)
      return removal
    },
    add(name) {
      added.add(name)
      if (!isRunning) void runAll()
    },
    has: (name) => next.has(name) || (added.has(name) && !isKept(name)),
  }
}
