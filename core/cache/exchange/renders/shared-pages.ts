import { createBoundedMap } from '../bounded-map.js'
import { createBackoff } from './backoff.js'

/** Which pages are for all, as far as is known: they are rendered for no visitor in particular. */
export interface SharedPages {
  /**
   * Whether a page was for all when it was rendered last, and a request without the fields of a visitor was not in vain lately.
   *
   * @param client Describes what such a request has.
   */
  has(key: string, client: () => string): boolean
  /** Notes that the response of a key was for all. */
  add(key: string): void
  /** Notes that the response to a request without the fields of a visitor was not for all: it may want a cookie. */
  refuse(key: string, client: string): void
}

/** Creates the record, bounded in bytes. */
export function createSharedPages(): SharedPages {
  const pages = createBoundedMap<true>()
  const refusals = createBackoff()
  return {
    has: (key, client) => pages.has(key) && !refusals.isActive(key, () => [client()]),
    add: (key) => void pages.set(key, true),
    refuse: (key, client) => refusals.fail(key, client),
  }
}
