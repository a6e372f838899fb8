import { LRUCache } from 'lru-cache'
import { describeError, type Log } from '../log.js'
import { createInFlight, type InFlight } from '../single-flight.js'
import { withTimeout } from '../timeout.js'
import type { Stamp } from './store/entry.js'

/**
 * Creates the response to a request that waits for a render; `undefined` when it may not be used, or its first bytes are gone.
 *
 * @throws the error of the handler.
 *
 * @param collapsed Member of `Cache-Status` for a request that has joined; `undefined` for the request that began the render.
 * @param onEnd Called once, when the response no longer needs the render.
 */
export type Respond = (request: Request, collapsed: string | undefined, onEnd: () => void) => Response | undefined

/** A call of the handler whose response others may wait for. It resolves when the response is stored, or will not be. */
export interface Render extends InFlight<void> {
  readonly key: string
  /** The stamp before it began: a request after a purge has a later one, so it joins no render from before. */
  readonly stamp: Stamp
  /** `shared`: begun by a visitor, others may join; `solo`: others may not; `background`: begun by no visitor, others may. */
  readonly kind: 'shared' | 'solo' | 'background'
  /**
   * Settled as soon as the head has arrived, for all requests that wait: a response, the error of the handler, or nothing, so that
   * each request calls the handler itself.
   */
  readonly outcome: Promise<Respond | undefined>
  /**
   * Settles the outcome.
   *
   * @param isOpen Whether others may still join.
   */
  settle(outcome: Respond | undefined, isOpen?: boolean): void
  /** Whether it goes on without visitors, since its response will be stored. */
  outlivesVisitors: boolean
}

const maxBackground = 32
// Milliseconds.
const refusalTime = 120_000
const failureTime = 1_000
// Bytes of keys, for each map.
const maxKeyBytes = 4_000_000

/**
 * Creates the registry of renders in flight, one for each key, and of the results of the last ones.
 *
 * @param timeout Milliseconds after which a render without visitors ends.
 */
export function createRenders(timeout: number, log: Log) {
  const inFlight = new Map<string, Render>()
  const verdicts = createKeyMap<{ detail: string; isFailure: boolean; until: number }>()
  const urls = createKeyMap<true>()
  let background = 0

  /**
   * Notes why the last render of a page was not stored; `undefined`: it was. For a second after a failure, and two minutes after a
   * refusal, requests do not wait for its render. A page that a purge has overtaken, or without room in the store, may be stored
   * next time.
   */
  const note = (key: string, detail: string | undefined): void => {
    if (detail === undefined) return void verdicts.delete(key)
    const isFailure = detail === 'failed' || detail === 'broken-off'
    const time = isFailure ? failureTime : detail === 'purged' || detail === 'store' ? 0 : refusalTime
    verdicts.set(key, { detail: detail === 'failed' ? 'status' : detail, isFailure, until: performance.now() + time })
  }

  /** Lets a render go on without visitors, unless too many do, and ends it in time. */
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
        // A shared render ends with the body of its visitor; others are over.
        if (!result && kind !== 'shared') work.resolve()
      }
      work.result.then(() => settle(undefined)) // abandoned: releases the requests that wait
      const render: Render = { ...work, key, stamp, kind, outcome, settle, outlivesVisitors: false }
      if (kind !== 'solo') inFlight.set(key, render)
      return render
    },

    /** Returns why the last render of a page was not stored, whether requests wait for no render now, and whether since it failed. */
    verdictOf(key: string) {
      const { detail, isFailure = false, until = 0 } = verdicts.get(key) ?? {}
      const isAlone = performance.now() < until
      return { detail, isAlone, hasFailed: isAlone && isFailure }
    },

    /** Notes a URL that is rendered or stored in any variant, for unsafe methods. */
    noteUrl: (url: string) => void urls.set(url, true),
    knowsUrl: (url: string) => urls.has(url),
  }
}

/** Creates a map of small facts about many keys, bounded in bytes. */
export function createKeyMap<T extends {}>() {
  return new LRUCache<string, T>({ maxSize: maxKeyBytes, sizeCalculation: (_, key) => 200 + 2 * key.length })
}
