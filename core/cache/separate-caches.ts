import { LRUCache } from 'lru-cache'
import { warnOnce } from '../development.js'

// The last purge of each tag, by any cache of this process that has a tag index of its own.
const purges = new LRUCache<string, { cache: object; at: number }>({ max: 1000 })
const warn = warnOnce()

/** Notes the tags that a cache purges by `invalidate`. */
export function notePurge(cache: object, tags: readonly string[]): void {
  for (const tag of tags) purges.set(tag, { cache, at: performance.now() })
}

/**
 * Warns, once and only in development, when a cache serves a page that another cache of this process has purged. The
 * usual cause is that the module that creates the cache was loaded twice, or that each route creates a cache.
 *
 * @param age Age of the page, in seconds.
 */
export function warnOfPurge(cache: object, tags: readonly string[], age: number): void {
  const rendered = performance.now() - age * 1000
  const missedTag = tags.find((tag) => {
    const purge = purges.get(tag)
    return purge && purge.cache !== cache && purge.at > rendered
  })
  if (missedTag === undefined) return
  const advice = 'Create one cache for both, or pass the same tagIndex: memoryTagIndex() to each'
  const text = `another cache of this process has purged '${missedTag}', and this one still serves a page with that tag`
  warn(() => `Response cache: ${text}. ${advice}`)
}
