import type { FoundFile } from './files.js'

/** Keeps account of which files there are, within a bound. */
export interface Room {
  /** Counts a file as the one that was used last; what was not used for the longest makes way. */
  use(name: string, size: number): void
  /** A file is gone. */
  free(name: string): void
  /**
   * Corrects the account by what was found on the disk, since other processes write and remove, too.
   *
   * @param began When the search began, in milliseconds since 1970: what was used since may have been missed by it.
   */
  correct(found: readonly FoundFile[], began: number): void
}

/**
 * Creates an account of files that holds the bound by having the least recently used removed.
 *
 * @param maxBytes Bound of all files together.
 * @param evict Removes a file.
 */
export function createRoom(maxBytes: number, evict: (name: string) => void): Room {
  // The least recently used first.
  let files = new Map<string, Omit<FoundFile, 'name'>>()
  let total = 0

  const free = (name: string) => {
    total -= files.get(name)?.size ?? 0
    files.delete(name)
  }
  const use = (name: string, size: number, usedAt = Date.now()) => {
    free(name)
    files.set(name, { size, usedAt })
    total += size
    for (const [oldest] of files) {
      if (total <= maxBytes) break
      free(oldest)
      evict(oldest)
    }
  }

  return {
    use: (name, size) => use(name, size),
    free,
    correct(found, began) {
      const known = files
      const used = new Map(found.map((file) => [file.name, file]))
      for (const [name, file] of known) {
        const there = used.get(name)
        if (there ? file.usedAt > there.usedAt : file.usedAt >= began) used.set(name, { name, ...file })
      }
      files = new Map()
      total = 0
      const inOrder = [...used.values()].sort((a, b) => a.usedAt - b.usedAt)
      for (const { name, size, usedAt } of inOrder) use(name, size, usedAt)
    },
  }
}
