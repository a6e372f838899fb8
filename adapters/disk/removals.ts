import type { Changes } from './changes.js'

// Milliseconds for which files are removed before something else of the directory is changed. And at least how many are, however
// slow the disk is: more than one that is written in the meantime evicts.
const longestTurn = 50
const fewest = 2

/** Removes files of a directory. */
export interface Removals {
  /**
   * Removes a file before anything else is changed. Rejects when that fails. What is not there waits for nothing: whoever makes up keys
   * has any number of them removed.
   *
   * @param isWritten Whether the file may be there in a moment.
   */
  remove(name: string, isWritten?: boolean): Promise<void>
  /** Resolves when a file that is being removed is gone, or cannot be removed; at once when none is. */
  settled(name: string): Promise<void> | undefined
  /** Removes a file in the background: a bound that was lowered may lead to a million of them. */
  add(name: string): void
  /** Whether a file is still to be removed. */
  has(name: string): boolean
  /**
   * Removes some of the files that were added, as a part of another change. Never rejects.
   *
   * @param duration Milliseconds after which no more are removed.
   */
  run(duration?: number): Promise<void>
}

export interface RemovalsOptions {
  changes: Changes
  remove: (name: string) => Promise<void>
  /** Looks for a file, which a disk whose writes stall allows. */
  isThere: (name: string) => Promise<boolean>
  /** Whether a file that was added is kept: it was written again, or will be. */
  isKept: (name: string) => boolean
  /** Called with the error where a file cannot be removed in the background. */
  onError: (error: unknown) => void
}

export function createRemovals({ changes, remove, isThere, isKept, onError }: RemovalsOptions): Removals {
  const next = new Map<string, Promise<void>>()
  const added = new Set<string>()
  let isRunning = false

  const run = async (duration = longestTurn) => {
    const until = performance.now() + duration
    let count = 0
    for (const name of added) {
      const isRemoved = !isKept(name)
      if (isRemoved) await remove(name).catch(onError)
      added.delete(name)
      if (isRemoved && ++count >= fewest && performance.now() >= until) return
    }
  }
  const runAll = async () => {
    isRunning = true
    while (added.size > 0) await changes.run(run)
    isRunning = false
  }
  const removeNext = async (name: string, isWritten: boolean) => {
    try {
      if (isWritten || (await isThere(name))) await changes.runNext(() => remove(name))
    } finally {
      next.delete(name)
    }
  }
  return {
    run,
    remove(name, isWritten = false) {
      const removal = next.get(name) ?? removeNext(name, isWritten || added.has(name))
      next.set(name, removal)
      return removal
    },
    settled: (name) => next.get(name)?.catch(() => {}),
    add(name) {
      added.add(name)
      if (!isRunning) void runAll()
    },
    has: (name) => next.has(name) || (added.has(name) && !isKept(name)),
  }
}
