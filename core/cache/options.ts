import type { ContentTags } from '../content/index.js'
import type { Log } from '../log.js'
import type { DeclaredFields } from './narrow.js'
import type { Store } from './store/entry.js'
import type { memoryTagIndex, ResponseTags, TagIndex } from './tags/tag-index.js'
import type { QueryParameters } from './url-key.js'

export interface ResponseCacheOptions {
  /** Where responses are stored: `memoryStore({ maxBytes: 64 * 1024 * 1024 })`. */
  store: Store
  /** Keeps track of the purged tags. Default: {@link memoryTagIndex}, for one process. */
  tagIndex?: TagIndex | undefined
  /**
   * Request fields that pages depend on, by name: `true` for the value as it is, or a function that returns the relevant part of it, or
   * `null` to leave the field out. The result is part of the key, and the handler receives it as the value of the field. The handler
   * receives no other field. Default: no field.
   *
   * @example { 'Accept-Language': (languages) => (languages?.startsWith('de') ? 'de' : 'en') }
   */
  fields?: DeclaredFields | undefined
  /**
   * Cookies that pages depend on and whose values many visitors share, such as a cookie for a theme or an A/B test. One page is stored
   * for each value. A trailing `*` matches any ending. Default: no cookie.
   */
  cookies?: readonly string[] | undefined
  /**
   * Whether a GET or HEAD request is the visitor's own: the handler then receives it whole, nothing is read from the store or written
   * to it, and the response becomes `private`. Default: `true` for requests with `Authorization`, or with a cookie that is not in
   * `cookies`; cookies of analytics, consent banners and bot checks, such as `_ga` and `__cf_bm`, do not count. Use
   * `withCookies('session')` to name the cookies of visitors, and `() => false` for content that is the same for everyone, such as
   * images.
   */
  bypass?: ((request: Request) => boolean) | undefined
  /**
   * Query parameters that pages depend on: a list, in which a trailing `*` matches any ending, or a function that is called with each
   * decoded name. All other parameters are left out of the key and of the request that the handler receives, so that made-up parameters
   * do not fill the store. Default: all except the parameters of campaign and click trackers, such as `utm_source` and `gclid`.
   *
   * @example ['page', 'filter_*']
   */
  queryParameters?: QueryParameters | undefined
  /**
   * Hosts of the site (`['example.com', 'localhost:3000']`; the ports 80 and 443 can be omitted). Requests for other hosts, even if only
   * by `X-Forwarded-Host`, bypass the cache, and the handler may refuse them (421). Default: every host is allowed and has its own pages.
   */
  hosts?: readonly string[] | undefined
  /**
   * Tags of every response for all, or a function that returns them. They are added to its `Cache-Tag`, as is its path, also for a CDN.
   * Default `['document']`, which the revalidation endpoint purges by default.
   */
  tags?: readonly string[] | ResponseTags | undefined
  /**
   * Notes what is read while a page renders: `createContentTags({ sources })`. Its tags are added to the page's `Cache-Tag`. Those of
   * content that a streamed page reads after its head are added to the stored page; a CDN does not see them, which is logged. Default:
   * no tags but those of the handler and of `tags`.
   */
  content?: Pick<ContentTags, 'add' | 'run' | 'tags'> | undefined
  /**
   * Whether responses keep their `Cache-Tag`, which a CDN in front needs. Without a CDN, `false` hides the parts of a page from
   * visitors. Default `true`.
   */
  exposeTags?: boolean | undefined
  /** Targeted fields to obey instead of the lifetime in `Cache-Control` (RFC 9213). Default `['CDN-Cache-Control']`. */
  targets?: readonly string[] | undefined
  /**
   * Whether clients may force a new render by `Cache-Control: no-cache`, `no-store`, `max-age` or `min-fresh`, or by
   * `Pragma: no-cache`. Browsers send these at every reload, and `fetch` with most values of `cache`. For a cache they
   * are advisory (RFC 9111, section 5.2.1), and a stored response is as recent as the site wants it. Default `false`.
   * `only-if-cached` and `max-stale`, which cost nothing, are always honored.
   */
  honorRequestCacheControl?: boolean | undefined
  /**
   * Receives each render, a promise that resolves (and never rejects) when the response is stored, and the request that began
   * it. Needed on platforms that stop a function after its response, where pages that are refreshed in the background would
   * otherwise stay stale: pass on to `waitUntil` of `cloudflare:workers` or `@vercel/functions`. Not needed on servers that
   * keep running.
   *
   * @example waitUntil: (render) => waitUntil(render)
   */
  waitUntil?: ((render: Promise<unknown>, request: Request) => void) | undefined
  /**
   * Largest body that is stored, in bytes, and the most that a reader may be behind the fastest reader of the same body. All bodies in
   * transfer together may take eight times as much; beyond that, bodies are not stored. Default 8 MiB.
   */
  maxBodyBytes?: number | undefined
  /** Longest total wait of a request for store and tag index, in milliseconds; then they count as unavailable. Default 1,000. */
  storeTimeout?: number | undefined
  /** Longest total wait of a request for renders of other requests, in milliseconds; then it begins its own. Default 10,000. */
  joinTimeout?: number | undefined
  /** Longest time of a render that no client waits for, and longest silence of a body, in milliseconds. Default 60,000. */
  refreshTimeout?: number | undefined
  /** Name of this cache in `Cache-Status`. Default `'sitewright'`. */
  name?: string | undefined
  /** Receives warnings and errors, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}
