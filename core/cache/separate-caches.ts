import { warnOnce } from '../development.js'

// The last purge of each tag by any cache of this process that has a tag index of its own.
const purges = new Map<string, { cache: object; at: number }>()
const maxPurges = 1000
const warn = warnOnce()

/**
 * Creates the functions that warn, once and in development, when a cache serves a page that another cache of this process was told to
 * purge. Most often, a module that creates the cache was loaded twice, or each route has a cache.
 */
export function createPurgeWarning() {
  const cache = {}
  return {
    /** Notes the tags that `invalidate` of this cache purges. */
    note(tags: readonly string[]): void {
      if (purges.size > maxPurges) purges.clear()
      for (const tag of tags) purges.set(tag, { cache, at: performance.now() })
    },
    /** Checks a page that this cache serves. Its age is in seconds. */
    check(tags: readonly string[], age: number): void {
      const rendered = performance.now() - age * 1000
      const missed = tags.find((tag) => {
        const purge = purges.get(tag)
        return purge !== undefined && purge.cache !== cache && purge.at > rendered
      })
      if (missed === undefined) return
      warn(
        () =>
          `Response cache: another cache of this process has purged '${missed}', and this one still serves a page with that tag. Create one cache for both, or pass the same tagIndex: memoryTagIndex() to each`,
      )
    },
  }
}
