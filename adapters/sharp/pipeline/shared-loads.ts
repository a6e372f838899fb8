import { untilAborted } from '../../../core/timeout.js'
import type { OriginLimit } from './origin-limiter.js'

/** How an original is loaded, by the first one who wants it. */
export interface LoadOptions<Loaded> {
  /** Loads wait for a place. */
  limit: OriginLimit
  load(signal: AbortSignal): Promise<Loaded>
}

/** Uses an original, which is loaded unless it is there for another use. */
export type ShareLoad<Loaded> = <T>(
  key: string,
  options: LoadOptions<Loaded>,
  use: (loaded: Loaded) => Promise<T>,
  signal: AbortSignal,
) => Promise<T>

interface SharedLoad<Loaded> {
  loaded: Promise<Loaded>
  users: number
  /** Gives the place back, and ends the load when it still runs. */
  end(): void
}

/**
 * Creates a function that loads an original once for all who want it at the same time, such as for the widths of a `srcset`. Its
 * place is kept until the last of them has used it, so that the number of places bounds the memory; who comes by then waits
 * for none. When loading fails, it fails for all who wait.
 */
export function createSharedLoads<Loaded>(): ShareLoad<Loaded> {
  const running = new Map<string, SharedLoad<Loaded>>()

  const start = (key: string, { limit, load }: LoadOptions<Loaded>): SharedLoad<Loaded> => {
    const ending = new AbortController()
    const loaded = new Promise<Loaded>((resolve, reject) => {
      const hold = limit(async (place) => {
        resolve(await load(place.signal))
        place.keep()
        await untilAborted(new Promise(() => {}), ending.signal)
      }, ending.signal)
      hold.catch((error) => {
        forget()
        reject(error) // without effect once it is loaded
      })
    })
    const forget = () => {
      if (running.get(key) === shared) running.delete(key)
    }
    const end = () => {
      forget()
      ending.abort(new Error('aborted: nobody uses the original'))
    }
    const shared = { loaded, users: 0, end }
    running.set(key, shared)
    return shared
  }

  return async (key, options, use, signal) => {
    signal.throwIfAborted()
    const shared = running.get(key) ?? start(key, options)
    shared.users++
    try {
      return await use(await untilAborted(shared.loaded, signal))
    } finally {
      shared.users--
      if (shared.users === 0) shared.end()
    }
  }
}
