import type { Stamp, TagIndex } from 'sitewright/cache'

/**
 * Reads something once, and again as soon as its tag was purged: by this server or by another that shares the tag index.
 * By the rule of the response cache: what was being read during a purge counts as older than it.
 *
 * @example const edition = readUntilPurged(tagIndex, 'document', () => readEdition(folders))
 */
export function readUntilPurged<Value>(tagIndex: TagIndex, tag: string, read: () => Promise<Value>) {
  let known: { stamp: Stamp; value: Promise<Value> } | undefined

  return async (): Promise<Value> => {
    // While nobody knows what was purged, only what is read now is certain.
    const current = known && (await purgedSince(tagIndex, known.stamp, tag)) === 'none' ? known : undefined
    if (current) return current.value
    const stamp = await Promise.resolve(tagIndex.stamp()).catch(() => undefined)
    if (known && stamp && isAsNew(known.stamp, stamp)) return known.value // another request has begun to read
    const value = read()
    known = stamp && { stamp, value }
    value.catch(() => {
      if (known?.value === value) known = undefined // the next page tries again
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

function isAsNew(known: Stamp, stamp: Stamp): boolean {
  return known.epoch === stamp.epoch && known.sequence >= stamp.sequence
}
