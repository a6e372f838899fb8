import type { Stamp } from '../../core/cache/index.js'

export interface StampCacheOptions {
  /** Reads the stamp from Redis, after the call. */
  fetchStamp(): Promise<Stamp>
  /** Maximum age of a cached stamp, in milliseconds. */
  pollInterval: number
  /** Whether to read again and again, so that the cached stamp stays fresh. */
  isPolling: boolean
}

/** The latest stamp of Redis that this instance knows. */
export interface StampCache {
  /** Stores a stamp. `requestedAt` is when Redis was asked for it, by `performance.now()`. */
  update(stamp: Stamp, requestedAt: number): void
  /** Handles the message of a purge, perhaps by another instance: `epoch sequence`. */
  onMessage(message: string): void
  /** Whether the last read failed, and none has succeeded since. */
  isUnavailable(): boolean
  /** Reads the stamp from Redis after the call; `undefined` while Redis is unavailable. */
  refresh(): Promise<Stamp> | undefined
  /** Returns the cached stamp while it is fresh, else as {@link StampCache.refresh}. */
  current(): Stamp | Promise<Stamp> | undefined
  /** Stops polling. */
  close(): void
}

// Milliseconds between attempts while Redis is unavailable. An attempt costs nothing while a command is unanswered.
const retryInterval = 100

/**
 * Creates a cache of the stamp. Its age counts from when Redis was asked, by a clock that never goes back; a stamp older
 * than `pollInterval` is not used. After the message of a purge Redis is asked: whoever may publish could send any number,
 * and no purge would reach what is stored under one that is too high. After a failed read Redis counts as unavailable, so
 * that no request waits for it, until a read succeeds.
 */
export function createStampCache({ fetchStamp, pollInterval, isPolling }: StampCacheOptions): StampCache {
  let cached: { stamp: Stamp; requestedAt: number; receivedAt: number } | undefined
  // When the last message came: what Redis was asked before is not known to be current.
  let messageAt = Number.NEGATIVE_INFINITY
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const update = (stamp: Stamp, requestedAt: number) => {
    clearTimeout(retryTimer)
    retryTimer = undefined
    if (requestedAt < messageAt) return
    const receivedAt = performance.now()
    // A lower sequence in the reply to a later request: Redis has lost what came after it.
    if (!cached || requestedAt > cached.receivedAt) cached = { stamp, requestedAt, receivedAt }
    else if (cached.stamp.epoch === stamp.epoch) {
      // Replies to concurrent requests may overtake one another.
      const newer = stamp.sequence > cached.stamp.sequence ? stamp : cached.stamp
      cached = { stamp: newer, requestedAt: Math.max(requestedAt, cached.requestedAt), receivedAt }
    } else if (requestedAt >= cached.requestedAt) cached = { stamp, requestedAt, receivedAt }
  }
  const markUnavailable = () => {
    cached = undefined
    if (isClosed) return
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => fetchAndUpdate().catch(() => {}), Math.min(pollInterval, retryInterval))
    retryTimer.unref?.()
  }
  const fetchAndUpdate = async (): Promise<Stamp> => {
    const requestedAt = performance.now()
    try {
      const stamp = await fetchStamp()
      update(stamp, requestedAt)
      return stamp
    } catch (error) {
      markUnavailable()
      throw error
    }
  }
  const poll = isPolling
    ? setInterval(() => retryTimer ?? fetchAndUpdate().catch(() => {}), pollInterval / 2)
    : undefined
  poll?.unref?.()

  return {
    update,
    isUnavailable: () => retryTimer !== undefined,
    refresh: () => (retryTimer ? undefined : fetchAndUpdate()),
    current() {
      if (retryTimer) return undefined
      if (cached && performance.now() - cached.requestedAt <= pollInterval) return cached.stamp
      return fetchAndUpdate()
    },
    onMessage(message) {
      const [epoch, sequence] = message.split(' ')
      // A purge of this instance, or an earlier one.
      if (cached && cached.stamp.epoch === epoch && Number(sequence) <= cached.stamp.sequence) return
      cached = undefined
      messageAt = performance.now()
    },
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      clearInterval(poll)
    },
  }
}
