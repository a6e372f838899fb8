import type { Log } from '../log.js'
import type { SiteHosts } from './exchange/keys/site-hosts.js'
import type { QueryParameters, trackingParameters } from './exchange/keys/url-key.js'
import type { Store } from './store/store.js'
import type { memoryTagIndex } from './tags/memory-tag-index.js'
import type { ResponseTags } from './tags/response-tags.js'
import type { TagIndex } from './tags/tag-index.js'

export interface ResponseCacheOptions {
  /** Where responses are stored: `memoryStore({ maxBytes: 64 * 1024 * 1024 })`. */
  store: Store
  /** Knows what was purged. Default: {@link memoryTagIndex}, for one process. */
  tagIndex?: TagIndex | undefined
  /**
   * Tags of every response, or a function that returns them. They join its `Cache-Tag`, also for a CDN. Default
   * `['document']`, which the revalidation endpoint purges by default.
   */
  tags?: readonly string[] | ResponseTags | undefined
  /**
   * Whether responses keep their `Cache-Tag`, which a CDN in front needs. Without one, `false` keeps what a page is made of
   * from strangers. Default `true`.
   */
  exposeTags?: boolean | undefined
  /**
   * Query parameters that do not affect the page; a trailing `*` matches any ending. They are removed from the request
   * that the handler receives, since its response is served to everyone. Default {@link trackingParameters}.
   */
  ignoreQuery?: readonly string[] | undefined
  /**
   * Query parameters that pages may depend on: a list, in which a trailing `*` matches any ending, or a function that is
   * called with each decoded name. All others are removed from the request that the handler receives as well as from the
   * key, so that nobody fills the store by made-up ones, and no page can repeat one to everybody. `ignoreQuery` is of no
   * use then. Default `'all'`: those in `ignoreQuery` are removed, and `maxNewUrls` bounds what the others lead to.
   *
   * @example ['page', 'filter_*']
   */
  queryParameters?: QueryParameters | undefined
  /**
   * Hosts of the site (`['example.com', 'localhost:3000']`; 80 and 443 need no port), or a function that knows them. Requests
   * for others, such as those of a load balancer that names an address, are passed on to the handler, which may refuse
   * them (421), and their responses are neither stored nor shared. So are those whose `X-Forwarded-Host` names another. Default: any host has pages of its own.
   */
  hosts?: SiteHosts | undefined
  /**
   * Maximum number of URLs of one path that are stored for the first time in a minute, for each process. What is beyond it is
   * rendered for those who ask at the same time, and not stored, so that URLs that differ by made-up query parameters or
   * hosts do not evict the pages of the site. URLs with and without a query are counted apart, and all hosts together, unless
   * `hosts` are given; those where there is nothing (404, 410) count as one path. More fits a path with many queries of its
   * own, such as one that resizes images by them. Default 100.
   */
  maxNewUrls?: number | undefined
  /**
   * By the names of request fields, functions that return the value that the handler receives in its place, and that its responses
   * are told apart by where they vary by the field: values that it treats alike share one response then. They receive and return `null`
   * where there is no such field. In front of the image proxy: `{ Accept: normalizeImageAccept }`, of `sitewright/image`. What is
   * never stored, such as a POST, is passed on as it is. Default: of `Accept`, `Accept-Charset`, `Accept-Encoding` and
   * `Accept-Language` what RFC 9110 says means nothing, such as optional white space.
   *
   * @example { 'Accept-Language': (languages) => (languages?.startsWith('de') ? 'de' : 'en') }
   */
  normalizeFields?: Readonly<Record<string, (value: string | null) => string | null>> | undefined
  /**
   * Whether errors are stored, when they state a lifetime, that may be due to one client's request: 4xx other than 404, 405,
   * 410 and 414, 5xx other than 502, 503 and 504, and these, too, when they are not the answer to a request without the fields of a
   * client, which the next one who comes leads to. Frameworks keep the `Cache-Control` that a route or middleware had set
   * for the page, so one malformed cookie could make an error everybody's page. Default `false`.
   */
  storeErrors?: boolean | undefined
  /** Targeted fields to obey instead of `Cache-Control` (RFC 9213). Default `['CDN-Cache-Control']`. */
  targets?: readonly string[] | undefined
  /**
   * Share of the time since `Last-Modified` for which a response without a lifetime is fresh (RFC 9111, section 4.2.2):
   * 0.1 is usual. Default 0: without a lifetime nothing is fresh.
   */
  heuristic?: number | undefined
  /**
   * Maximum wait for the handler, in milliseconds, where a stored response may be served on errors (`stale-if-error`): then
   * that is served, and its render goes on where `maxBackgroundRenders` allows. Default: none, for as long as the handler takes.
   */
  staleIfErrorTimeout?: number | undefined
  /**
   * Whether clients may force a new render by `Cache-Control: no-cache`, `no-store`, `max-age` or `min-fresh`, or by
   * `Pragma: no-cache`. Browsers send these at every reload, and `fetch` with most values of `cache`. For a cache they
   * are advisory (RFC 9111, section 5.2.1), and a stored response is as recent as the site wants it. Default `false`.
   * `only-if-cached` and `max-stale`, which cost nothing, are always honored.
   */
  honorRequestCacheControl?: boolean | undefined
  /**
   * Whether a POST, PUT, DELETE or other unsafe request removes the responses of its URL, and of those that its response
   * names in `Location` and `Content-Location`, when it is answered without an error (2xx or 3xx), as RFC 9111, section 4.4,
   * demands. What this instance finds in its store is also purged on all others that share the tag index, which costs one
   * purge. What only another instance has, or renders at that moment, is not: a purge for each POST to a form or an API
   * would cost all pages of all instances more than it is worth. `invalidate` reaches everything. Anyone whose POST the
   * handler accepts can keep its pages out of the cache. `false` fits a site whose pages change by
   * `invalidate` only. Default `true`.
   */
  invalidateOnUnsafeMethods?: boolean | undefined
  /**
   * Whether a HEAD or a range of what is not stored, which the handler answers, leads to a render of the whole page in the
   * background, so that the next one is answered from the store. It fits pages, and not downloads of which clients want
   * parts. Default `false`.
   */
  fillInBackground?: boolean | undefined
  /**
   * Maximum number of stored responses of one URL that differ by the request fields in `Vary`, for each process. Beyond it,
   * those that were asked for most often are kept, so that a client that varies a field at will does not fill the store, nor
   * push out what visitors ask for. Default 64.
   */
  maxVariants?: number | undefined
  /**
   * Maximum number of renders that no client waits for: those in the background, those whose clients have all left, and
   * those of a page whose client turned out to have it. Beyond it, pages stay stale until a later request, and what clients
   * have left is aborted. Half of them is for stale pages only, one for each URL without a query. A render that has lasted for five
   * seconds, and twice as long as the last one of its page, is ended when a stale page gets no other place. Default 32.
   */
  maxBackgroundRenders?: number | undefined
  /**
   * Whether a GET or HEAD passes the cache by, as one with the preview cookie of a CMS does: the handler answers it, nothing
   * is read from the store or written to it, and the response is `Cache-Control: private, no-store`, also for a CDN. A CDN in
   * front still has to pass such requests on. Anyone can send a cookie, so let the handler check what it grants. Default: none.
   *
   * @example bypass: (request) => /(^|; )preview=/.test(request.headers.get('cookie') ?? '')
   */
  bypass?: ((request: Request) => boolean) | undefined
  /**
   * Receives each render, which settles (never rejects) when its response is stored, and the request that began it.
   * Platforms that stop a function after its response need it, or pages that are refreshed in the background stay stale:
   * `waitUntil` of `cloudflare:workers`, or of `@vercel/functions`. Default: none, for servers that run on.
   *
   * @example waitUntil: (render) => waitUntil(render)
   */
  waitUntil?: ((render: Promise<unknown>, request: Request) => void) | undefined
  /** Largest body that is stored, in bytes. Default 8 MiB. */
  maxBodyBytes?: number | undefined
  /**
   * Bound of all bodies in transfer, in bytes, those included that their clients have not read yet. Beyond it, clients that
   * have read nothing for five seconds are disconnected; when that is not enough, bodies are passed on without being stored.
   * Of clients that read the same body, one that is more than `maxBodyBytes` behind is disconnected. Half of it is for what clients have
   * not read yet: beyond that, slow ones read on from the store, or are disconnected where nothing is stored. While a quarter is in use,
   * a handler is for a second no more than 256 KiB ahead of the fastest client. Default 64 MiB.
   */
  maxPendingBytes?: number | undefined
  /** Longest wait for store and tag index, in milliseconds; then they count as unavailable. Default 1,000. */
  storeTimeout?: number | undefined
  /**
   * Longest wait for the head of a page that another request renders, in milliseconds; its body is read along from then on,
   * however long it takes. Then one of those who wait renders the page as well, and the others wait for that; from
   * the sixth time on, twice as many render each time. Default 10,000.
   */
  joinTimeout?: number | undefined
  /** Longest time of a render that no client waits for, in milliseconds. Default 60,000. */
  refreshTimeout?: number | undefined
  /** Name of this cache in `Cache-Status`. Default `'sitewright'`. */
  name?: string | undefined
  /** Receives warnings and errors, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}
