import { createInFlight, type InFlight } from '../../../single-flight.js'
import { withTimeout } from '../../../timeout.js'
import type { Stamp } from '../../store/entry.js'
import type { Variant } from '../keys/variant.js'
import type { BackgroundSlots } from './background-slots.js'
import type { PacedHandler } from './pace-handler.js'
import type { Parallelism } from './parallelism.js'

/** What a render gives to the requests that joined it. */
export type RenderResult = SharedResponse | UnavailableResponse | { type: 'failed' | 'not-shared' }

/** A response that is complete, or whose body they read along. */
export interface SharedResponse {
  type: 'shared'
  /** Which requests it fits. */
  variant: Variant
  /** Resolves when a body goes on that has paused; `undefined` when it has not, or is of no use any more. */
  resumed?: () => Promise<void> | undefined
  /**
   * Creates the response to a request; `undefined` when it may not be used for it, or its body is not there any more.
   *
   * @param onEnd Called once, when the response needs the render no more.
   */
  respond(request: Pick<Request, 'method' | 'headers'>, cacheStatus: string, onEnd: () => void): Response | undefined
}

/** The service behind the handler is unavailable: the error response, for those whose request headers it fits. */
export interface UnavailableResponse {
  type: 'unavailable'
  respond: (cacheStatus: string, headers: Headers) => Response
  fits: (headers: Headers) => boolean
}

/** The response says that it is for the one who began the render only: that may be due to the request, or so for all. */
export const notShared: RenderResult = { type: 'not-shared' }
/** There is nothing for others, which says nothing about the page: the handler threw or answered 500, or the render ended. */
export const failed: RenderResult = { type: 'failed' }

/**
 * Who waits for a render. `shared`: its client, and others who join; when all have left, it is finished for later requests.
 * `anonymous`: the same, without the fields of its client. `background`: nobody, but others may join. `extra`: its client alone,
 * beside a shared one. `own`: its client alone, whose request says nothing about those of others.
 */
export type RenderKind = 'shared' | 'anonymous' | 'background' | 'extra' | 'own'

/** A render that other requests may wait for. Its signal aborts when none of them does any more, and it does not go on. */
export interface InFlightRender extends InFlight<RenderResult> {
  readonly stamp: Stamp
  /** By `performance.now`. */
  readonly began: number
  readonly kind: RenderKind
  readonly isOrdinary: boolean
  /** Whether its response may be stored, if that says so. */
  readonly mayBeStored: boolean
  readonly handler: PacedHandler
  /** Whether what it has led to is for everybody who would send the same request. */
  isForAll: boolean
  /** Whether its response was stored. */
  isStored: boolean
  /** What those who join get: as soon as it is shared, at the latest when the render ends. */
  readonly available: Promise<RenderResult>
  /** Shares a response whose body is not complete yet. */
  share(response: SharedResponse): void
  /** Whether its response may be stored: not when its URL was invalidated after it began. */
  isValid(): boolean
}

export interface InFlightRenderOptions {
  key: string
  /** The URL that the key belongs to. */
  url: string
  stamp: Stamp
  kind: RenderKind
  /** Whether its request has only fields that any client sends. */
  isOrdinary: boolean
  mayBeStored: boolean
  handler: PacedHandler
}

/** Whether no purge came between the beginning of a render and a request with a stamp. */
export function isOfStamp({ stamp: { epoch, sequence } }: InFlightRender, stamp: Stamp | undefined): boolean {
  return stamp?.epoch === epoch && stamp.sequence === sequence
}

/** Whether the handler receives what the visitor sent. */
export function isOfVisitor({ kind }: Pick<InFlightRender, 'kind'>): boolean {
  return kind !== 'anonymous' && kind !== 'background'
}

export interface InFlightRenders {
  /**
   * Returns the render that a request with a stamp may join: one that began with the same stamp. What is due to an unusual field,
   * such as a cookie, must not delay those who send none: they join renders for ordinary requests only.
   *
   * @param isOrdinary Whether the request has only fields that any client sends.
   * @param except A render that it does not wait for any more.
   */
  find(key: string, stamp: Stamp, isOrdinary: boolean, except?: InFlightRender): InFlightRender | undefined
  /** Returns a render of a key, of any stamp: one that others may wait for, and not use. */
  findAny(key: string, isOrdinary: boolean): InFlightRender | undefined
  /** How many renders of a key run, of any stamp, other than those of kind `own`. */
  countRunning(key: string): number
  begin(options: InFlightRenderOptions): InFlightRender
  /** From now on, what is in flight for a URL is neither stored nor joined. */
  invalidate(url: string): void
}

/**
 * Creates the registry of renders in flight: one per key and stamp, and another one for clients with unusual fields. A request
 * that comes after a purge has a later stamp than a render that began before it, and so never joins that render.
 *
 * A shared render that everybody has left goes on while there is a spare background slot, since the service behind the handler
 * may well finish what it has begun: imgproxy does, and the next client would wait behind it for the same image again.
 *
 * @param timeout How long such a render goes on, in milliseconds.
 */
export function createInFlightRenders(
  slots: BackgroundSlots,
  timeout: number,
  parallelism: Parallelism,
): InFlightRenders {
  const ordinary = new Map<string, InFlightRender>()
  const unusual = new Map<string, InFlightRender>()
  const running = new Map<string, number>()
  const byUrl = new Map<string, Set<{ isInvalid: boolean }>>()

  const candidates = (key: string, isOrdinary: boolean): InFlightRender[] => {
    const found = isOrdinary ? [ordinary.get(key)] : [ordinary.get(key), unusual.get(key)]
    return found.filter((render) => render?.isValid()) as InFlightRender[]
  }

  return {
    find: (key, stamp, isOrdinary, except) =>
      candidates(key, isOrdinary).find((render) => render !== except && isOfStamp(render, stamp)),

    findAny: (key, isOrdinary) => candidates(key, isOrdinary)[0],

    countRunning: (key) => running.get(key) ?? 0,

    begin({ key, url, stamp, kind, isOrdinary, mayBeStored, handler }) {
      const map = isOrdinary ? ordinary : unusual
      const mayBeJoined = kind !== 'extra' && kind !== 'own'
      let mayContinue = mayBeJoined && kind !== 'background'
      const validity = { isInvalid: false }
      const ofUrl = byUrl.get(url) ?? new Set()
      byUrl.set(url, ofUrl.add(validity))
      const addRunning = (number: number) => {
        if (kind === 'own') return
        const count = (running.get(key) ?? 0) + number
        if (count > 0) running.set(key, count)
        else running.delete(key)
      }
      addRunning(1)
      let isFailure = true
      const inFlight = createInFlight<RenderResult>({
        shouldContinue() {
          const slot = mayContinue ? slots.takeSpare(key) : undefined
          mayContinue = false
          if (!slot) return false
          const leave = inFlight.join()
          withTimeout(timeout, inFlight.result, slot.signal).catch(leave).finally(slot.free)
          return true
        },
        onEnd() {
          addRunning(-1)
          ofUrl.delete(validity)
          if (ofUrl.size === 0 && byUrl.get(url) === ofUrl) byUrl.delete(url)
          if (map.get(key) === render) map.delete(key)
        },
        onAbandoned() {
          isFailure = false
          inFlight.resolve(failed)
        },
      })
      let settle: (result: RenderResult) => void = () => {}
      const available = new Promise<RenderResult>((resolve) => {
        settle = resolve
      })
      const share = (result: RenderResult) => {
        if (kind !== 'own' && (result.type !== 'failed' || isFailure)) parallelism.note(key, result.type, isOrdinary)
        if (result.type === 'shared') isFailure = false // whatever becomes of its body
        settle(result)
      }
      inFlight.result.then(share)
      const isValid = () => !validity.isInvalid
      const own = { stamp, kind, isOrdinary, mayBeStored, handler, began: performance.now(), available, share, isValid }
      const render: InFlightRender = { ...inFlight, ...own, isForAll: false, isStored: false }
      if (mayBeJoined) map.set(key, render)
      return render
    },

    invalidate(url) {
      for (const validity of byUrl.get(url) ?? []) validity.isInvalid = true
    },
  }
}
