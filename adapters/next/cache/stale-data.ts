/** The softly purged data that pages were rendered with. */
export interface StaleData {
  /**
   * Softly purged data was read.
   *
   * @param reader The handler that has read it.
   * @param pageTags The tags that every page at that path has.
   */
  add(key: string, reader: object, pageTags: readonly string[]): void
  /** The data of a key is new. */
  delete(key: string): void
  /** Whether a page may have been rendered with such data: whether its handler, or that of a page at its path, has read any. */
  wasRead(page: { reader: object; since: number; tags: readonly string[] }): boolean
}

interface Read {
  key: string
  at: number
  reader: object
  pageTags: readonly string[]
}

// Milliseconds. No render takes longer.
const rememberedFor = 120_000
// Of all keys and paths: anybody can make up paths while a function throws.
const maxReads = 1_000

/**
 * Creates the record of one process. When a function of `unstable_cache` throws, Next.js renders with the old data, and the page
 * must not be stored: it would count as new. Next.js 16.4 reads the data by another handler than the one that is to store the
 * page, and only the tags of their path tell that they belong together.
 *
 * @param clock Milliseconds of a clock that never goes back.
 */
export function createStaleData(clock: () => number): StaleData {
  // By key and path, the oldest first.
  const reads = new Map<string, Read>()
  const namesByKey = new Map<string, Set<string>>()

  const remove = (name: string, key: string) => {
    reads.delete(name)
    const names = namesByKey.get(key)
    names?.delete(name)
    if (names?.size === 0) namesByKey.delete(key)
  }
  const forget = () => {
    for (const [name, { key, at }] of reads) {
      if (reads.size <= maxReads && clock() - at < rememberedFor) return
      remove(name, key)
    }
  }
  return {
    add(key, reader, pageTags) {
      const name = JSON.stringify([key, pageTags])
      reads.delete(name)
      reads.set(name, { key, at: clock(), reader, pageTags })
      namesByKey.set(key, (namesByKey.get(key) ?? new Set()).add(name))
      forget()
    },
    delete(key) {
      for (const name of namesByKey.get(key) ?? []) reads.delete(name)
      namesByKey.delete(key)
    },
    wasRead({ reader, since, tags }) {
      if (reads.size === 0) return false
      const known = new Set(tags)
      return [...reads.values()].some((read) => {
        const isOfPath = read.pageTags.length > 0 && read.pageTags.every((tag) => known.has(tag))
        return read.at >= since && (read.reader === reader || isOfPath)
      })
    },
  }
}
