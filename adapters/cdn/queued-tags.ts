import type { PurgeMode } from '../../core/cache/index.js'

/** Tags by the form in which the provider has them; values are the tags as they were given. */
export type TagsByEncoded = ReadonlyMap<string, readonly string[]>

/** One purge that waits for its tags. */
export interface Waiter {
  /** When its time limit is over, in milliseconds of `performance.now()`. */
  readonly deadline: number
  /** What is neither purged nor given up. */
  readonly remaining: Map<QueuedTag, readonly string[]>
  /** The original tags that were given up, and why. */
  readonly failed: string[]
  readonly reasons: Set<string>
  /** Resolves when nothing remains. */
  readonly ended: Promise<void>
  readonly onEnd: () => void
}

/** A tag in a call, or for one of the next calls. */
export interface QueuedTag {
  readonly encoded: string
  readonly mode: PurgeMode
  readonly waiters: Set<Waiter>
  /** Why the last call with it failed. */
  reason?: string
}

/** The tags that wait for a call of a CDN, each once, and who waits for them. */
export interface QueuedTags {
  /** How many tags are for the next calls. */
  size(): number
  /** How many tags all purges wait for, those in calls included. */
  waiting(): number
  add(tags: TagsByEncoded, mode: PurgeMode, deadline: number): Waiter
  /** Removes tags for one call: of one mode, in their order. */
  take(maxTags: number): QueuedTag[]
  /** Ends the wait of one purge for a tag: it was purged, or given up for a reason. */
  end(tag: QueuedTag, waiter: Waiter, reason?: string): void
  /** Ends the wait of all for the tags, by default for those of the next calls. */
  endAll(tags?: Iterable<QueuedTag>, reason?: string): void
}

export function createQueuedTags(): QueuedTags {
  const pending = new Map<string, QueuedTag>()
  const keyOf = (encoded: string, mode: PurgeMode) => `${mode} ${encoded}`
  let waiting = 0

  const end = (tag: QueuedTag, waiter: Waiter, reason?: string) => {
    const originals = waiter.remaining.get(tag) ?? []
    if (!waiter.remaining.delete(tag)) return
    waiting--
    tag.waiters.delete(waiter)
    const key = keyOf(tag.encoded, tag.mode)
    if (tag.waiters.size === 0 && pending.get(key) === tag) pending.delete(key)
    if (reason !== undefined) {
      waiter.failed.push(...originals)
      waiter.reasons.add(reason)
    }
    if (waiter.remaining.size === 0) waiter.onEnd()
  }

  return {
    size: () => pending.size,
    waiting: () => waiting,
    add(tags, mode, deadline) {
      let onEnd = () => {}
      const ended = new Promise<void>((resolve) => {
        onEnd = resolve
      })
      const waiter: Waiter = { deadline, remaining: new Map(), failed: [], reasons: new Set(), ended, onEnd }
      for (const [encoded, originals] of tags) {
        const key = keyOf(encoded, mode)
        const tag = pending.get(key) ?? { encoded, mode, waiters: new Set() }
        pending.set(key, tag)
        tag.waiters.add(waiter)
        waiter.remaining.set(tag, originals)
      }
      waiting += tags.size
      return waiter
    },
    take(maxTags) {
      const batch: QueuedTag[] = []
      for (const [key, tag] of pending) {
        if (batch.length === maxTags) break
        if (batch[0] && batch[0].mode !== tag.mode) continue
        pending.delete(key)
        batch.push(tag)
      }
      return batch
    },
    end,
    endAll(tags = pending.values(), reason) {
      for (const tag of tags) for (const waiter of tag.waiters) end(tag, waiter, reason)
    },
  }
}
