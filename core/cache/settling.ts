import type { CacheContext } from './context.js'
import type { LifetimeLimit } from './lifetime-limit.js'
import type { Stamp } from './store/entry.js'

/**
 * Creates the function that limits the use of a response whose content was purged less than `settles` ago: it may show
 * the content of before. Such a response is fresh for half the time since the purge, so that it is rendered a few
 * times, and is not used after the content has settled. Returns `undefined` for other responses.
 *
 * @returns A function of the response's tags, the time by `performance.now` from which on its content was read, and the
 *   stamp of the render.
 */
export function createSettling({ settings: { content }, tagIndex }: CacheContext) {
  return async (
    tags: readonly string[],
    began: number,
    stamp: Stamp | undefined,
  ): Promise<LifetimeLimit | undefined> => {
    const settles = content?.settles ?? 0
    if (settles === 0 || !content?.tags()?.length) return undefined
    // Without the tag index, the tags may have been purged just now.
    const age = stamp ? await tagIndex.purgeAge(tags) : 0
    const ageAtBegin = age - (performance.now() - began)
    if (ageAtBegin >= settles) return undefined
    const total = Math.max(1, Math.ceil((settles - age) / 1000))
    return { fresh: Math.min(total, Math.max(1, Math.floor(ageAtBegin / 2000))), total }
  }
}
