import type { Stamp } from './entry.js'
import type { Prepared } from './prepared.js'
import { rememberByKey } from './remember.js'

/** What became of a render that others waited for. */
export type Landing =
  /** It may answer the others, too. */
  | { prepared: Prepared; fits: (headers: Headers) => boolean; error?: never }
  /** It failed, and would for the others. */
  | { error: unknown; prepared?: never; fits?: never }
  /** It is for nobody else; each renders for itself. */
  | { prepared?: never; fits?: never; error?: never }

/** A render under way. */
export interface Flight {
  readonly stamp: Stamp
  /** Aborts when nobody waits for it any more. */
  readonly signal: AbortSignal
  readonly landing: Promise<Landing>
  /** Counts one more who waits; what it gives counts that one off again. */
  enter(): () => void
  land(landing: Landing): void
  /** Aborts the render. */
  abort(reason: unknown): void
  /** Whether what it brings may be stored: not when its URL was invalidated after it began. */
  isValid(): boolean
  /** Told once nobody waits any more. */
  onDeserted(listener: () => void): void
}

export interface Flights {
  /** The render that a reader with a stamp may join: one that began with the same. */
  find(key: string, stamp: Stamp): Flight | undefined
  /** Whether anything renders it, from whenever. */
  isBusy(key: string): boolean
  /** @param url The URL that the key belongs to. */
  begin(key: string, url: string, stamp: Stamp, isJoinable: boolean): Flight
  /** What is under way for a URL is neither stored nor joined any more. */
  invalidate(url: string): void
}

/**
 * Creates the register of renders under way: one per key and stamp. A reader who comes after a purge bears a later stamp
 * than a render that began before it, and so never joins it.
 */
export function createFlights(): Flights {
  const underWay = new Map<string, Flight>()
  const invalidated = rememberByKey<number>()
  let count = 0

  return {
    find(key, { epoch, sequence }) {
      const flight = underWay.get(key)
      return flight?.stamp.epoch === epoch && flight.stamp.sequence === sequence && flight.isValid()
        ? flight
        : undefined
    },

    isBusy: (key) => underWay.get(key)?.isValid() ?? false,

    begin(key, url, stamp, isJoinable) {
      const controller = new AbortController()
      const deserted: (() => void)[] = []
      const began = count
      let waiting = 0
      let isOver = false
      let settle: (landing: Landing) => void = () => {}
      const landing = new Promise<Landing>((resolve) => {
        settle = resolve
      })
      const end = (result: Landing) => {
        isOver = true
        if (underWay.get(key) === flight) underWay.delete(key)
        settle(result)
      }
      const flight: Flight = {
        stamp,
        signal: controller.signal,
        landing,
        isValid: () => (invalidated.get(url) ?? 0) <= began,
        enter() {
          let isInside = true
          waiting++
          return () => {
            if (!isInside) return
            isInside = false
            waiting--
            if (waiting > 0 || isOver) return
            end({})
            controller.abort(new Error('Nobody waits for the page any more'))
            for (const listener of deserted) listener()
          }
        },
        land: end,
        abort: (reason) => controller.abort(reason),
        onDeserted: (listener) => deserted.push(listener),
      }
      if (isJoinable) underWay.set(key, flight)
      return flight
    },

    invalidate(url) {
      count++
      invalidated.set(url, count)
    },
  }
}
