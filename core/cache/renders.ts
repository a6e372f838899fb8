import { LRUCache } from 'lru-cache'
import { describeError, type Log } from '../log.js'
import { createInFlight, type InFlight } from '../single-flight.js'
import { withTimeout } from '../timeout.js'
import type { Stamp } from './store/entry.js'

/**
 * Creates the response to a request that waits for a render. Returns `undefined` if the request may not use the
 * response, or if the first bytes of the body are gone.
 *
 * @throws The handler's error.
 *
 * @param collapsed Member of `Cache-Status` for a request that has joined; `undefined` for the request that began the
 *   render.
 * @param onEnd Called once, when the response no longer needs the render.
 */
export type Respond = (request: Request, collapsed: string | undefined, onEnd: () => void) => Response | undefined

/**
 * A handler call whose response other requests may wait for. It resolves when the response is stored or is certain
 * not to be stored.
 */
export interface Render extends InFlight<void> {
  readonly key: string
  /**
   * The stamp from before the render. A request after a purge has a later stamp, so it does not join an earlier render.
   */
  readonly stamp: Stamp
  /**
   * - `shared`: a visitor's request began the render, and other requests may join;
   * - `solo`: a visitor's request began the render, and no other request may join;
   * - `background`: the cache began the render, and requests may join.
   */
  readonly kind: 'shared' | 'solo' | 'background'
  /**
   * Settles for all waiting requests as soon as the head has arrived: with a function that creates the response or
   * throws the handler's error, or with `undefined`, after which each request calls the handler itself.
   */
  readonly outcome: Promise<Respond | undefined>
  /**
   * Settles the outcome.
   *
   * @param isOpen Whether other requests may still join.
   */
  settle(outcome: Respond | undefined, isOpen?: boolean): void
  /** Whether the render goes on without visitors, because its response will be stored. */
  outlivesVisitors: boolean
}

const maxBackground = 32
// Milliseconds.
const refusalTime = 120_000
const failureTime = 1_000
// Maximum size of each map, in bytes of its keys.
const maxKeyBytes = 4_000_000

/**
 * Creates the registry of renders in flight, one for each key, and of the results of the latest renders.
 *
 * @param timeout Milliseconds after which a render without visitors ends.
 */
export function createRenders(timeout: number, log: Log) {
  const inFlight = new Map<string, Render>()
  const verdicts = createKeyMap<{ detail: string; isFailure: boolean; until: number }>()
  const urls = createKeyMap<true>()
  let background = 0

  /**
   * Notes why the last render of a page was not stored, or `undefined` if it was. For a second after a failure, and
   * for two minutes after a response that may not be stored, requests do not wait for each other's renders of the page.
   * After a purge during the render, or if the store had no room, they still wait, because the next response may be
   * stored.
   */
  const note = (key: string, detail: string | undefined): void => {
    if (detail === undefined) return void verdicts.delete(key)
    const isFailure = detail === 'failed' || detail === 'broken-off'
    const time = isFailure ? failureTime : detail === 'purged' || detail === 'store' ? 0 : refusalTime
    verdicts.set(key, { detail: detail === 'failed' ? 'status' : detail, isFailure, until: performance.now() + time })
  }

  /** Lets a render go on without visitors until the timeout. Returns `false` if too many renders already do so. */
  const goOn = (render: Render): boolean => {
    if (background >= maxBackground) return false
    background++
    const leave = render.join()
    withTimeout(timeout, render.result)
      .catch((error) => {
        render.outlivesVisitors = false
        note(render.key, 'failed')
        leave()
        log('Response cache: background revalidation failed', { reason: describeError(error) })
      })
      .finally(() => background--)
    return true
  }

  return {
    goOn,
    note,
    find: (key: string) => inFlight.get(key),

    begin(key: string, stamp: Stamp, kind: Render['kind']): Render {
      const close = () => {
        if (inFlight.get(key) === render) inFlight.delete(key)
      }
      const work = createInFlight<void>({
        onEnd: close,
        shouldContinue: () => render.outlivesVisitors && goOn(render),
        onAbandoned: () => work.resolve(),
      })
      let settleOutcome: (outcome: Respond | undefined) => void = () => {}
      const outcome = new Promise<Respond | undefined>((resolve) => {
        settleOutcome = resolve
      })
      const settle: Render['settle'] = (result, isOpen = false) => {
        if (!isOpen) close()
        settleOutcome(result)
        // A `shared` render now belongs to its visitor, and ends with the body of the response; other renders end now.
        if (!result && kind !== 'shared') work.resolve()
      }
      work.result.then(() => settle(undefined)) // releases the requests that wait for an abandoned render
      const render: Render = { ...work, key, stamp, kind, outcome, settle, outlivesVisitors: false }
      if (kind !== 'solo') inFlight.set(key, render)
      return render
    },

    /**
     * Returns why the last render of a page was not stored (`detail`), whether each request calls the handler by
     * itself for now (`isAlone`), and whether the reason for this is a failure (`hasFailed`).
     */
    verdictOf(key: string) {
      const { detail, isFailure = false, until = 0 } = verdicts.get(key) ?? {}
      const isAlone = performance.now() < until
      return { detail, isAlone, hasFailed: isAlone && isFailure }
    },

    /** Notes a URL that has a rendered or stored variant, so that unsafe methods can purge it. */
    noteUrl: (url: string) => void urls.set(url, true),
    knowsUrl: (url: string) => urls.has(url),
  }
}

/** Creates a map from many keys to small values, bounded in bytes. */
export function createKeyMap<T extends {}>() {
  return new LRUCache<string, T>({ maxSize: maxKeyBytes, sizeCalculation: (_, key) => 200 + 2 * key.length })
}
