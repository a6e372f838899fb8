import type { Stamp, TagIndex } from 'sitewright/cache'

/**
 * Creates a function that reads a value once, and again after its tag was purged by any server that shares the tag
 * index. As in the response cache, a value that was being read during a purge counts as older than the purge.
 *
 * @example const edition = readUntilPurged(tagIndex, 'document', () => readEdition(folders))
 */
export function readUntilPurged<Value>(tagIndex: TagIndex, tag: string, read: () => Promise<Value>) {
  let cached: { stamp: Stamp; value: Promise<Value> } | undefined

  return async (): Promise<Value> => {
    // While the tag index is unavailable, the value is read each time.
    const current = cached && (await purgedSince(tagIndex, cached.stamp, tag)) === 'none' ? cached : undefined
    if (current) return current.value
    const stamp = await Promise.resolve(tagIndex.stamp()).catch(() => undefined)
    if (cached && stamp && isAtLeast(cached.stamp, stamp)) return cached.value // another request has started to read
    const value = read()
    cached = stamp && { stamp, value }
    value.catch(() => {
      if (cached?.value === value) cached = undefined // the next request tries again
    })
    return value
  }
}

async function purgedSince(tagIndex: TagIndex, stamp: Stamp, tag: string) {
  try {
    return await tagIndex.purgedSince(stamp, [tag])
  } catch {
    return 'hard'
  }
}

function isAtLeast(stamp: Stamp, minimum: Stamp): boolean {
  return stamp.epoch === minimum.epoch && stamp.sequence >= minimum.sequence
}
