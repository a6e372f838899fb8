import { createBoundedMap } from './bounded-map.js'
import { kindOfClient, type Received } from './keys/client.js'

/** A request to a URL of the cache. */
type Exchange = Received & { url: string }

/**
 * URLs whose last response was of no use for other requests: these do not wait for each other's. One that may be due to its
 * client counts for clients of its kind only: otherwise anybody with a session could have a page rendered for each visitor.
 */
export interface UncacheableUrls {
  has(exchange: Exchange): boolean
  isTooLarge(url: string): boolean
  addTooLarge(url: string): void
  /** @returns Whether it counts for all clients. */
  addNotShared(exchange: Exchange, isBackground: boolean): boolean
  /** The URL has a response that others can use. */
  delete(exchange: Exchange): void
}

/** Creates an empty list, bounded in bytes. */
export function createUncacheableUrls(): UncacheableUrls {
  const urls = createBoundedMap<'too-large' | 'not-shared'>()

  const keyOf = (exchange: Exchange, isBackground: boolean) => {
    const kind = kindOfClient(exchange, isBackground)
    // No URL has a line break.
    return kind === '' ? exchange.url : `${exchange.url}\n${kind}`
  }
  return {
    has: (exchange) => urls.size > 0 && (urls.has(exchange.url) || urls.has(keyOf(exchange, false))),
    isTooLarge: (url) => urls.get(url) === 'too-large',
    addTooLarge: (url) => void urls.set(url, 'too-large'),
    addNotShared(exchange, isBackground) {
      const key = keyOf(exchange, isBackground)
      urls.set(key, 'not-shared')
      return key === exchange.url
    },
    delete(exchange) {
      if (urls.size === 0) return
      urls.delete(exchange.url)
      urls.delete(keyOf(exchange, false))
    },
  }
}
