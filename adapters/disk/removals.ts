// The threads that Node has for files are for reading, too.
const maxRemovals = 2

/** Removes files in the background, a few at a time: a bound that was lowered may lead to a million of them. */
export interface Removals {
  add(name: string): void
  /** Whether a file is still to be removed. */
  has(name: string): boolean
  /** Keeps a file that is about to be written again. */
  cancel(name: string): void
  /** Resolves once all that were added are removed. */
  done(): Promise<void>
}

/** @param remove Removes a file. Never rejects. */
export function createRemovals(remove: (name: string) => Promise<void>): Removals {
  const waiting = new Set<string>()
  const running = new Set<Promise<void>>()

  const run = async () => {
    for (const name of waiting) {
      waiting.delete(name)
      await remove(name)
    }
  }
  return {
    add(name) {
      waiting.add(name)
      if (running.size >= maxRemovals) return
      const removing = run().finally(() => running.delete(removing))
      running.add(removing)
    },
    has: (name) => waiting.has(name),
    cancel: (name) => void waiting.delete(name),
    async done() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
