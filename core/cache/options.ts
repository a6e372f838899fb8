import type { ContentTags } from '../content/index.js'
import type { Log } from '../log.js'
import type { DeclaredFields, QueryParameters } from './key.js'
import type { Store } from './store/entry.js'
import type { memoryTagIndex, ResponseTags, TagIndex } from './tags/tag-index.js'

export interface ResponseCacheOptions {
  /** Where responses are stored: `memoryStore({ maxBytes: 64 * 1024 * 1024 })`. */
  store: Store
  /**
   * Name of the site's release, such as its commit. It is part of each key: pages name the scripts and styles of their
   * own build, so an instance serves only pages of its own release. Tags and purges are shared by all releases. `''` is
   * for pages that never change with a build. Default: the name that the platform gives (Vercel, Render, Heroku, Fly,
   * Railway, Cloud Run).
   *
   * @example process.env.RELEASE
   */
  release?: string | undefined
  /** Keeps track of the purged tags. Default: {@link memoryTagIndex}, for one process. */
  tagIndex?: TagIndex | undefined
  /**
   * Request fields that pages depend on, by name: `true` for the value as it is, or a function that returns the
   * relevant part of it, or `null` to leave the field out. The result is part of the key, and the handler receives it
   * as the value of the field. The handler receives no other field. Default: no field.
   *
   * @example { 'Accept-Language': (languages) => (languages?.startsWith('de') ? 'de' : 'en') }
   */
  fields?: DeclaredFields | undefined
  /**
   * Cookies that pages depend on and whose values many visitors share, such as a cookie for a theme or an A/B test. One
   * page is stored for each value. A trailing `*` matches any ending. Default: no cookie.
   */
  cookies?: readonly string[] | undefined
  /**
   * Whether a GET or HEAD request is the visitor's own: the handler then receives it whole, nothing is read from the
   * store or written to it, and the response becomes `private`. Default: `true` for requests with `Authorization`, or
   * with a cookie that is not in `cookies`; cookies of analytics, consent banners and bot checks, such as `_ga` and
   * `__cf_bm`, do not count. Use `withCookies('session')` to name the cookies of visitors, and `() => false` for
   * content that is the same for everyone, such as images.
   */
  bypass?: ((request: Request) => boolean) | undefined
  /**
   * Query parameters that pages depend on: a list, in which a trailing `*` matches any ending, or a function that is
   * called with each decoded name. All other parameters are left out of the key and of the request that the handler
   * receives, so that made-up parameters do not fill the store. Default: all except the parameters of campaign and
   * click trackers, such as `utm_source` and `gclid`.
   *
   * @example ['page', 'filter_*']
   */
  queryParameters?: QueryParameters | undefined
  /**
   * Hosts of the site (`['example.com', 'localhost:3000']`; the ports 80 and 443 can be omitted). Requests for other
   * hosts bypass the cache, even if only `X-Forwarded-Host` names the other host, and the handler may refuse them
   * (421). Default: every host is allowed and has its own pages.
   */
  hosts?: readonly string[] | undefined
  /**
   * Tags of every response that is for all visitors, or a function that returns them. These tags and a tag of the path
   * are added to the response's `Cache-Tag`, where a CDN sees them, too. Default `['document']`, which the revalidation
   * endpoint purges by default.
   */
  tags?: readonly string[] | ResponseTags | undefined
  /**
   * Notes the content that is read while a page renders: `createContentTags({ sources })`. The tags of this content are
   * added to the page's `Cache-Tag`. If a streamed page reads content after its head, the tags of that content are
   * added to the stored page only; a CDN does not see them, which is logged. Default: only the tags of the handler and
   * of `tags`.
   */
  content?: Pick<ContentTags, 'add' | 'end' | 'run' | 'settles' | 'tags' | 'until'> | undefined
  /**
   * Whether responses keep their `Cache-Tag`, which a CDN in front needs. Without a CDN, `false` keeps visitors from
   * reading which content a page consists of. Default `true`.
   */
  exposeTags?: boolean | undefined
  /** Targeted fields to obey instead of the lifetime in `Cache-Control` (RFC 9213). Default `['CDN-Cache-Control']`. */
  targets?: readonly string[] | undefined
  /**
   * Whether clients may force a new render by `Cache-Control: no-cache`, `no-store`, `max-age` or `min-fresh`, or by
   * `Pragma: no-cache`. Browsers send these at every reload, and `fetch` sends them with most values of its option
   * `cache`. For a cache, they are advisory (RFC 9111, section 5.2.1), and a stored response is as recent as the site
   * wants it. Default `false`. `only-if-cached` and `max-stale`, which cause no render, are always honored.
   */
  honorRequestCacheControl?: boolean | undefined
  /**
   * Receives a promise for each render, and the request that began the render. The promise resolves when the response
   * is stored or is certain not to be stored; it never rejects. Pass it to `waitUntil` of `cloudflare:workers` or
   * `@vercel/functions`: such platforms stop a function after its response, and pages that are refreshed in the
   * background would stay stale. Servers that keep running do not need it.
   *
   * @example (render) => waitUntil(render)
   */
  waitUntil?: ((render: Promise<unknown>, request: Request) => void) | undefined
  /**
   * Maximum number of renders at the same time, so that a purge of all pages does not flood the CMS. Further renders
   * wait for their turn, for `joinTimeout` at most. Pages that the handler of another page requests from this cache do
   * not wait if the option `content` is set; without it, give such parts a cache of their own. Default: no limit.
   */
  maxRenders?: number | undefined
  /**
   * Maximum size of a body that is stored, in bytes. A client of a larger body may be at most this many bytes behind
   * the fastest client of the same body. All bodies in transfer together may take eight times as much; beyond that,
   * bodies are not stored. Default 8 MiB.
   */
  maxBodyBytes?: number | undefined
  /**
   * Longest time that a request waits for the store and the tag index together, in milliseconds; after that, they count
   * as unavailable. Default 1,000.
   */
  storeTimeout?: number | undefined
  /**
   * Longest time that a request waits for the render of another request, in milliseconds; after that, it begins its own
   * render. Default 10,000.
   */
  joinTimeout?: number | undefined
  /**
   * Longest duration of a render that no client waits for, and longest time without data from a body, in milliseconds.
   * Default 60,000.
   */
  refreshTimeout?: number | undefined
  /** Name of this cache in `Cache-Status`. Default `'sitewright'`. */
  name?: string | undefined
  /** Receives warnings and errors, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}
