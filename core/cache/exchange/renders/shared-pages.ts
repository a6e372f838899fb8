import { createBoundedMap } from '../../bounded-map.js'
import type { StoredVary } from '../../store/entry.js'
import { describeClient } from '../keys/client.js'
import type { VaryKey } from '../keys/vary-key.js'
import { anonymousHeaders, type Received } from './anonymous-request.js'
import { createBackoff } from './backoff.js'

/** Which pages are for all, as far as is known: they are rendered for no visitor in particular. */
export interface SharedPages {
  /** Whether a page was for all when it was rendered last, and the response to a request without the fields of a visitor was, too. */
  has(exchange: Visited): boolean
  /** Whether it is to be rendered without the fields of a visitor: that did not fail within the last second either. */
  isDue(exchange: Visited): boolean
  /** Whether the response of a URL was for all, and not only an error that may be. */
  wasForAll(url: string): boolean
  /** Returns the names of the fields that the response of a URL varied by when it was for all. */
  varyNamesOf(url: string): readonly string[]
  /** Notes that the response of a URL was for all, and what it varied by: when it was stored, and whenever it is used. */
  add(url: string, vary: StoredVary | undefined, status: number): void
  /**
   * Notes that the response of a URL was an error that may be due to the client: whether it is for all is asked by a request
   * without his fields.
   */
  addError(url: string): void
  /** Notes that the response to a request without the fields of a visitor was not for all: it may want a cookie. */
  refuse(exchange: Visited): void
  /** Notes that a render without the fields of a visitor failed: the handler may need one of them. */
  fail(exchange: Visited): void
  /** Notes that a render without the fields of a visitor did not fail. */
  succeed(exchange: Visited): void
  /** Notes that a response to a visitor's own request could have been stored. */
  noteOwn(exchange: Visited): void
  /** Returns the request of an exchange, with what its response varies by: as stored, or as it was when it was for all. */
  receivedOf(exchange: Visited): Received
  /**
   * Returns the key of the response that a request selects, of which nothing is stored any more: by what the page varied by
   * when it was for all, so that no visitor waits for another variant.
   */
  keyOf(exchange: Visited): string
}

interface Visited extends Received {
  url: string
  /** Of one of its variants. */
  key: string
}

const maxPageBytes = 16_000_000
// So often in a row, a render for all has to fail before one that does not: in an outage, both do.
const maxFailures = 3

/** Creates the record, bounded in bytes. */
export function createSharedPages(varyKey: VaryKey): SharedPages {
  // Of a URL, and not of a variant: what tells variants apart is lost with a POST, or when the store evicts it.
  const pages = createBoundedMap<{ vary: StoredVary | undefined }>(maxPageBytes)
  // Apart, so that they do not push out the pages of the site: strangers can make up queries and paths in any number.
  const others = createBoundedMap<{ vary: StoredVary | undefined }>()
  const errors = createBoundedMap<true>()
  const refusals = createBackoff()
  const failures = createBackoff({ maxDelay: 1_000 })
  const find = (url: string) => pages.get(url) ?? others.get(url)
  const varyOf = ({ vary, url }: Visited) => vary ?? find(url)?.vary
  const receivedOf = (exchange: Visited) => ({ request: exchange.request, vary: varyOf(exchange) })
  const clientOf = (exchange: Visited) => describeClient(anonymousHeaders(receivedOf(exchange)))
  // Of handlers that need a field of the visitor.
  const needy = createBoundedMap<{ hasFailed: boolean; count: number }>()
  const countNeedy = (url: string) => (needy.size > 0 ? (needy.get(url)?.count ?? 0) : 0)
  const has = (exchange: Visited) =>
    (find(exchange.url) !== undefined || errors.has(exchange.url)) &&
    countNeedy(exchange.url) < maxFailures &&
    !refusals.isActive(exchange.key, () => [clientOf(exchange)])
  return {
    has,
    isDue: (exchange) => has(exchange) && !failures.isActive(exchange.key, () => [clientOf(exchange)]),
    fail(exchange) {
      failures.fail(exchange.key, clientOf(exchange))
      needy.set(exchange.url, { hasFailed: true, count: countNeedy(exchange.url) })
    },
    succeed: ({ url }) => needy.delete(url),
    noteOwn({ url }) {
      if (needy.get(url)?.hasFailed) needy.set(url, { hasFailed: false, count: countNeedy(url) + 1 })
    },
    varyNamesOf: (url) => find(url)?.vary?.names ?? [],
    wasForAll: (url) => find(url) !== undefined,
    add(url, vary, status) {
      const known = find(url)
      if (known?.vary === vary && known) return
      const isOfSite = !url.includes('?') && status < 400
      ;(isOfSite ? pages : others).set(url, { vary })
    },
    addError: (url) => void errors.set(url, true),
    refuse: (exchange) => refusals.fail(exchange.key, clientOf(exchange)),
    receivedOf,
    keyOf(exchange) {
      const vary = varyOf(exchange)
      return vary ? varyKey(exchange.url, vary, exchange.request.headers) : exchange.url
    },
  }
}
