import type { StoredVary } from '../../store/entry.js'
import { createBoundedMap } from '../bounded-map.js'
import type { Received } from './anonymous-request.js'
import { createBackoff } from './backoff.js'

/** Which pages are for all, as far as is known: they are rendered for no visitor in particular. */
export interface SharedPages {
  /**
   * Whether a page was for all when it was rendered last, and a request without the fields of a visitor was not in vain lately.
   *
   * @param client Describes what such a request has.
   */
  has(url: string, client: () => string): boolean
  /** Notes that the response of a URL was for all, and what it varied by. */
  add(url: string, vary: StoredVary | undefined): void
  /** Notes that the response to a request without the fields of a visitor was not for all: it may want a cookie. */
  refuse(url: string, client: string): void
  /** Returns the request of an exchange, with what its response varies by: as stored, or as it was when it was for all. */
  receivedOf(exchange: Received & { url: string }): Received
}

/** Creates the record, bounded in bytes. */
export function createSharedPages(): SharedPages {
  // Of a URL, and not of a variant: what tells variants apart is lost with a POST, or when the store evicts it.
  const pages = createBoundedMap<{ vary: StoredVary | undefined }>()
  const refusals = createBackoff()
  return {
    has: (url, client) => pages.has(url) && !refusals.isActive(url, () => [client()]),
    add: (url, vary) => void pages.set(url, { vary }),
    refuse: (url, client) => refusals.fail(url, client),
    receivedOf: ({ request, vary, url }) => ({ request, vary: vary ?? pages.get(url)?.vary }),
  }
}
