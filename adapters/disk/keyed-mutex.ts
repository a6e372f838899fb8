/** Runs work that has the same key one after the other, in the order of the calls. */
export interface KeyedMutex {
  /** Runs work once all earlier work of its key has settled; at once when there is none. */
  runExclusive<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves once the work of a key that is queued now has settled; `undefined` when there is none. */
  idle(key: string): Promise<void> | undefined
}

/** Creates a mutex, so that of two writes of one file the later one wins, and a removed file stays removed. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>()

  return {
    runExclusive(key, work) {
      const result = last.get(key)?.then(work) ?? work()
      const settled = result.then(ignore, ignore).then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
      last.set(key, settled)
      return result
    },
    idle: (key) => last.get(key),
  }
}

function ignore(): void {}
