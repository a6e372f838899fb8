import { LRUCache } from 'lru-cache'
import { describeError, type Log } from '../../../core/log.js'
import { TimeoutError, withTimeout } from '../../../core/timeout.js'
import { ImageFailure } from '../failure.js'

const maxOutages = 10_000
// Milliseconds, in which nobody waits for the origin again.
const outageTime = 60_000
// Milliseconds after which a stored image is used while its original is being fetched again.
const refreshTime = 2_000

export interface Refresh<Result> {
  /** The original, which is out of date. */
  version: string
  /** Its origin. */
  group: string
  source: string
  /** Of the client. */
  signal: AbortSignal | undefined
  /** Fetches the original again, and renders it. */
  render(signal: AbortSignal): Promise<Result>
  /** What is stored. */
  respondStored(): Result
  /** Forgets what is stored, since the original is gone: also when nobody waits any more to hear that. */
  forgetStored(): void
}

/**
 * Creates the function that answers for an image that is stored, of an original that has to be fetched again: with what is stored
 * when that fails, or has not been done within two seconds. Then it goes on, and the next client gets the new one.
 *
 * @param maxUnattended How many go on while nobody waits for them, of each origin: of one that hangs, they would otherwise
 * take all places for fetches.
 */
export function createRefreshes(maxUnattended: number, log: Log) {
  // Of originals whose origin has just failed or takes long.
  const outages = new LRUCache<string, true>({ max: maxOutages, ttl: outageTime })
  const unattended = new Map<string, Set<string>>() // versions, by group

  /** Lets a refresh go on for which nobody waits any more; `false` when too many originals of its origin do. */
  const goOn = (group: string, version: string, refreshed: Promise<unknown>): boolean => {
    const versions = unattended.get(group) ?? new Set()
    if (versions.has(version)) return true // for another client, or in another size: it is fetched once
    if (versions.size >= maxUnattended) return false
    unattended.set(group, versions.add(version))
    const end = () => {
      versions.delete(version)
      if (versions.size === 0) unattended.delete(group)
    }
    refreshed.then(end, end)
    return true
  }

  return <Result>(refresh: Refresh<Result>): Result | Promise<Result> => {
    const { version, group, source, signal, render, respondStored, forgetStored } = refresh
    if (outages.has(version)) return respondStored()
    const ending = new AbortController()
    const refreshed = render(ending.signal)
    refreshed.then(
      () => outages.delete(version),
      (error) => {
        if (ending.signal.aborted) return
        if (!mayBeOutage(error)) {
          outages.delete(version)
          if (error instanceof ImageFailure) forgetStored()
          return
        }
        outages.set(version, true)
        log('Image service uses a stored image: its original cannot be fetched', {
          reason: describeError(error),
          source,
        })
      },
    )
    return withTimeout(refreshTime, refreshed, signal).catch((error) => {
      const isOver = error instanceof TimeoutError
      if ((isOver || signal?.aborted) && !goOn(group, version, refreshed)) ending.abort(error)
      if (isOver) outages.set(version, true)
      else if (!mayBeOutage(error)) throw error
      return respondStored()
    })
  }
}

/** Whether an error may be the origin's, and a passing one: also a page about its maintenance, and an image that broke off. */
function mayBeOutage(error: unknown): boolean {
  return error instanceof ImageFailure && [422, 502, 503, 504].includes(error.status)
}
