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
  at: number
  reader: object
  pageTags: readonly string[]
}

// Milliseconds. No render takes longer.
const rememberedFor = 120_000
const maxKeys = 5_000

/**
 * Creates the record of one process. When a function of `unstable_cache` throws, Next.js renders with the old data, and the page
 * must not be stored: it would count as new. Next.js 16.4 reads the data by another handler than the one that is to store the
 * page, and only the tags of their path tell that they belong together.
 *
 * @param clock Milliseconds of a clock that never goes back.
 */
export function createStaleData(clock: () => number): StaleData {
  // By key, that first which was read longest ago, and by path.
  const reads = new Map<string, Map<string, Read>>()

  const forget = () => {
    for (const [key, paths] of reads) {
      const last = Math.max(...[...paths.values()].map(({ at }) => at))
      if (clock() - last < rememberedFor && reads.size <= maxKeys) return
      reads.delete(key)
    }
  }
  return {
    add(key, reader, pageTags) {
      const paths = reads.get(key) ?? new Map<string, Read>()
      paths.set(pageTags.join(), { at: clock(), reader, pageTags })
      reads.delete(key)
      reads.set(key, paths)
      forget()
    },
    delete: (key) => void reads.delete(key),
    wasRead({ reader, since, tags }) {
      if (reads.size === 0) return false
      const known = new Set(tags)
      const isOfPage = (read: Read) =>
        read.at >= since &&
        (read.reader === reader || (read.pageTags.length > 0 && read.pageTags.every((tag) => known.has(tag))))
      for (const paths of reads.values()) if ([...paths.values()].some(isOfPage)) return true
      return false
    },
  }
}
