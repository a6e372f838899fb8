import { createDeferred } from '../async.js'
import { describeError, type Log } from '../log.js'
import { withTimeout } from '../timeout.js'
import { createKeyMap } from './key.js'
import type { Page } from './page.js'
import type { Stamp } from './store/entry.js'
import type { GuardedStore } from './store/guards.js'

/**
 * Where a render stands:
 * - `running`: the head has not arrived; requests join and wait for it;
 * - `open`: the response may be stored; requests join while its body is collected;
 * - `closed`: the response is not stored, and no request joins any more; those that already wait may still get it;
 * - `stored`: the response is stored;
 * - `abandoned`: the last visitor left before the end, and the handler was told to stop.
 */
type RenderState = 'running' | 'open' | 'closed' | 'stored' | 'abandoned'

/**
 * Removes a visitor from a render. A second call has no effect.
 *
 * @param hasAll Whether the visitor has received the whole response. Default `false`.
 */
export type Leave = (hasAll?: boolean) => void

/**
 * Creates the response to a request that waits for a render. Returns `undefined` if the request may not use the
 * response, or if the first bytes of the body are gone.
 *
 * @throws The handler's error.
 *
 * @param collapsed Member of `Cache-Status` for a request that has joined; `undefined` for the request that began the
 *   render.
 * @param leave Called when the response no longer needs the render.
 */
export type Respond = (request: Request, collapsed: string | undefined, leave: Leave) => Response | undefined

/** The result of the last render of a page, for the next ones. */
interface Verdict {
  /** Why the last response was not stored. */
  detail?: string | undefined
  /** Milliseconds for which requests do not wait for each other's renders. */
  time?: number | undefined
  /** The end of that time, by `performance.now`. */
  until?: number | undefined
}

/** One call of the handler, and its response. Other requests may wait for it. */
export type Render = ReturnType<typeof createRunningRender>

/**
 * - `shared`: a visitor's request begins the render, and other requests may join;
 * - `solo`: a visitor's request begins the render, and no other request may join;
 * - `background`: the cache begins the render, and requests may join.
 */
export type RenderKind = 'shared' | 'solo' | 'background'

/**
 * @param page The page of the request that begins the render.
 * @param stamp The stamp from before the render. A request after a purge has a later stamp, so it does not join an
 *   earlier render.
 */
function createRunningRender(page: Page, stamp: Stamp, kind: RenderKind) {
  const controller = new AbortController()
  return {
    page,
    stamp,
    kind,
    state: 'running' as RenderState,
    /** The number of requests that wait for the head or read the body. */
    visitors: 0,
    /** Whether the render goes on without visitors. */
    isKept: false,
    /** Resolves when the head has arrived, or when the handler has failed. */
    answer: createDeferred<Respond>(),
    /** Resolves when the response is stored, or is certain not to be stored. */
    end: createDeferred<void>(),
    /** Tells the handler to stop. A `solo` render has the signal of its visitor, if there is one. */
    signal: (kind === 'solo' && page.request.signal) || controller.signal,
    abort: () => controller.abort(new Error('aborted: all clients disconnected')),
  }
}

// Maximum number of renders that go on without visitors.
const maxKept = 32
// Milliseconds for which requests do not wait for each other's renders of a page, by why the last response was not
// stored. After a purge during the render, or if the store had no room, the next response may be stored.
const failureTime = 1_000
const waitingTimes: Record<string, number> = { failed: failureTime, 'broken-off': failureTime, purged: 0, store: 0 }
const refusalTime = 120_000
// Failures say nothing about the page that was stored before, and a purged page is not served anyway.
const keepsStored = new Set(['failed', 'broken-off', 'purged'])

/**
 * Creates the registry of the renders that requests may join, one for each key, and of the results of the last renders.
 * A render's state is changed here alone.
 *
 * @param timeout Milliseconds after which a render without visitors ends.
 */
export function createRenders(store: Pick<GuardedStore, 'delete'>, timeout: number, log: Log) {
  const joinable = new Map<string, Render>()
  const verdicts = createKeyMap<Verdict>()
  // In front of an app: the pages that may be stored, as the app's own answers to visitors say.
  const known = createKeyMap<true>()
  let kept = 0

  /** Notes why the response of a render is not stored. */
  const refuse = ({ page, isKept }: Render, detail: string, failure?: object): void => {
    const time = waitingTimes[detail] ?? refusalTime
    const until = performance.now() + time
    verdicts.set(page.key, { detail: detail === 'failed' ? 'status' : detail, time, until })
    if (page.cached && !keepsStored.has(detail)) void store.delete(page.key)
    const message = 'Response cache: background revalidation failed'
    if (detail === 'failed' && isKept) log(message, { url: page.url, ...failure })
  }

  /**
   * Ends a render. Every render ends here.
   *
   * @param detail Why the response was not stored. The page that was stored before is then removed, because it would be
   *   served again and again.
   * @param failure The failure, for the log: visitors do not see that a render without visitors fails.
   */
  const end = (render: Render, state: 'closed' | 'stored' | 'abandoned', detail?: string, failure?: object): void => {
    const { key } = render.page
    if (joinable.get(key) === render) joinable.delete(key)
    if (detail !== undefined) refuse(render, detail, failure)
    else if (state === 'stored') verdicts.delete(key)
    if (render.state === 'stored' || render.state === 'abandoned') return
    render.state = state
    if (state === 'abandoned') render.abort()
    render.end.resolve()
  }

  /** Lets a render go on without visitors until the timeout, unless too many renders do so. */
  const keep = (render: Render): void => {
    if (render.isKept || kept >= maxKept) return
    kept++
    render.isKept = true
    const onTimeout = (error: unknown) => {
      const failure = { reason: describeError(error) }
      if (render.visitors > 0) refuse(render, 'failed', failure)
      else end(render, 'abandoned', 'failed', failure)
      render.isKept = false
    }
    const ended = withTimeout(timeout, render.end.promise)
    ended.catch(onTimeout).finally(() => kept--)
  }

  return {
    /**
     * Returns the render of a page that requests may join (`current`), why the last one was not stored (`detail`),
     * whether each request calls the handler by itself for now (`isAlone`), whether because of a failure (`hasFailed`),
     * and whether the app has said that the page is for all (`isKnown`).
     */
    of(key: string) {
      const { detail, time, until = 0 } = verdicts.get(key) ?? {}
      const isAlone = performance.now() < until
      const hasFailed = isAlone && time === failureTime
      return { current: joinable.get(key), detail, isAlone, hasFailed, isKnown: known.get(key) ?? false }
    },

    /** In front of an app: notes whether the app's own answer to a visitor says that the page may be stored. */
    learn(key: string, isKnown: boolean): void {
      if (isKnown) known.set(key, true)
      else known.delete(key)
    },

    /** Whether another render may go on without visitors. */
    hasRoom: () => kept < maxKept,

    begin(page: Page, stamp: Stamp, kind: RenderKind): Render {
      const render = createRunningRender(page, stamp, kind)
      if (kind !== 'solo') joinable.set(page.key, render)
      if (kind === 'background') keep(render)
      return render
    },

    /** Adds a visitor. When the last visitor leaves, the render goes on if its response is being stored. */
    join(render: Render): Leave {
      let hasLeft = false
      render.visitors++
      return (hasAll = false) => {
        if (hasLeft) return
        hasLeft = true
        render.visitors--
        if (render.visitors > 0 || hasAll || render.state === 'stored') return
        if (render.state === 'open') keep(render)
        if (!render.isKept || render.state === 'closed') end(render, 'abandoned')
      }
    },

    /** Opens a render with the response to all that wait and that join until its end. */
    open(render: Render, respond: Respond): void {
      if (render.state === 'running') render.state = 'open'
      render.answer.resolve(respond)
    },

    /** Closes a render with the response to those that wait. */
    close(render: Render, respond: Respond, detail?: string, failure?: object): void {
      end(render, 'closed', detail, failure)
      render.answer.resolve(respond)
    },

    end,
  }
}
