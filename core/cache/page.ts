import type { RouteHandler } from '../handler.js'
import type { RequestDirectives } from '../http/cache-control.js'
import type { CachedResponse } from './cached-response.js'
import type { Narrowed } from './key.js'
import type { PassOn } from './own-request.js'
import type { Stamp } from './store/entry.js'
import type { PurgeState } from './tags/tag-index.js'

/** A page that all visitors share, and what a lookup finds for it. */
export interface Lookup extends Narrowed {
  /** Time until which the request waits for the store and the tag index, by `performance.now`. */
  readonly deadline: number
  /** `undefined` if the tag index is unavailable: then no response is reused or stored. */
  stamp: Stamp | undefined
  cached: CachedResponse | undefined
  /** Current age of the cached response in seconds (RFC 9111, section 4.2.3). */
  age: number
  /** The strongest purge of the cached response's tags since its render. */
  purge: PurgeState
}

/** A GET or HEAD request for a page that all visitors share. */
export interface Page extends Lookup {
  /** The visitor's request. */
  readonly request: Request
  readonly handler: RouteHandler
  /** In front of an app: hands the visitor's request to the app. Then the handler is called for shared pages only. */
  readonly passOn: PassOn | undefined
  readonly directives: RequestDirectives
}
