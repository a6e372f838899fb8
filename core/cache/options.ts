import type { Log } from '../log.js'
import type { Store } from './store.js'
import { memoryTagIndex, type TagIndex } from './tag-index.js'
import { trackingParameters } from './url-key.js'

/** Gives the tags of a response, besides those of its `Cache-Tag`. */
export type ResponseTags = (
  request: Pick<Request, 'url' | 'headers'>,
  response: Pick<Response, 'status' | 'headers'>,
) => readonly string[]

export interface ResponseCacheOptions {
  /** Where responses are kept: `memoryStore({ maxBytes: 64 * 1024 * 1024 })`. */
  store: Store
  /** Who knows what was purged. Default: {@link memoryTagIndex}, for one process. */
  tagIndex?: TagIndex | undefined
  /** Tags of every response, or a function that gives them. They join its `Cache-Tag`, for a CDN in front to know. */
  tags?: readonly string[] | ResponseTags | undefined
  /**
   * Query parameters that say nothing about the page; a `*` at the end stands for any ending. They are kept from the
   * handler, too, since what it made of one visitor's would be served to all. Default {@link trackingParameters}.
   */
  ignoreQuery?: readonly string[] | undefined
  /** Media types that are sent only to those whose `Accept` names them. Default `['image/avif', 'image/webp']`. */
  imageFormats?: readonly string[] | undefined
  /** Targeted fields to obey instead of `Cache-Control` (RFC 9213). Default `['CDN-Cache-Control']`. */
  targets?: readonly string[] | undefined
  /**
   * Share of the time since `Last-Modified` for which a response that names no lifetime is fresh (RFC 9111, section
   * 4.2.2): 0.1 is usual. Default 0: without a lifetime nothing is fresh.
   */
  heuristic?: number | undefined
  /**
   * Whether visitors may have a page rendered anew by `Cache-Control: no-cache`, `no-store`, `max-age` or `min-fresh`, or
   * `Pragma: no-cache`. Browsers send these at every reload, and `fetch` with most values of `cache`. To caches they are
   * advice (RFC 9111, section 5.2.1); what is stored is young enough for the site, or would have been purged.
   * Default `false`. `only-if-cached` and `max-stale`, which cost nothing, are always obeyed.
   */
  honorRequestCacheControl?: boolean | undefined
  /** Largest body that is kept, in bytes. Default 8 MiB. */
  maxBodyBytes?: number | undefined
  /** Bound of all bodies that are being received, in bytes; beyond it, they are passed on unkept. Default 64 MiB. */
  maxPendingBytes?: number | undefined
  /** Longest wait for store and tag index in milliseconds; then they count as away. Default 1,000. */
  storeTimeout?: number | undefined
  /** Longest wait for a page that another visitor's request renders, in milliseconds. Default 10,000. */
  joinTimeout?: number | undefined
  /** Longest time of a render in the background, in milliseconds. Default 60,000. */
  refreshTimeout?: number | undefined
  /** Name of this cache in `Cache-Status`. Default `'sitewright'`. */
  name?: string | undefined
  /** Told what an operator should know, each once a minute at most. Default: `console.error`. */
  log?: Log | undefined
}

const defaults = {
  heuristic: 0,
  maxBodyBytes: 8 * 1024 * 1024,
  maxPendingBytes: 64 * 1024 * 1024,
  storeTimeout: 1_000,
  joinTimeout: 10_000,
  refreshTimeout: 60_000,
}

/** The options with every default in its place. */
export type Settings = ReturnType<typeof completeOptions>

/**
 * Puts every default in its place.
 *
 * @throws TypeError that names the option when one makes no sense.
 */
export function completeOptions(options: ResponseCacheOptions) {
  if (typeof options.store?.get !== 'function') {
    throw new TypeError('store: needed; write memoryStore({ maxBytes: 64 * 1024 * 1024 }), for one')
  }
  const numbers = { ...defaults }
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const value = options[name] ?? defaults[name]
    if (!(value >= 0 && value <= 2 ** 31 - 1))
      throw new TypeError(`${name}: ${value} is no use; write a number from 0 on`)
    numbers[name] = value
  }
  const { tags = [] } = options
  if (typeof tags !== 'function' && !Array.isArray(tags)) {
    throw new TypeError("tags: write a list, such as ['document'], or a function that gives one")
  }
  return {
    ...numbers,
    store: options.store,
    tagIndex: options.tagIndex ?? memoryTagIndex(),
    tagsOf: typeof tags === 'function' ? tags : () => tags,
    ignoreQuery: options.ignoreQuery ?? trackingParameters,
    imageFormats: (options.imageFormats ?? ['image/avif', 'image/webp']).map((format) => format.toLowerCase()),
    targets: options.targets ?? ['CDN-Cache-Control'],
    honorRequestCacheControl: options.honorRequestCacheControl ?? false,
    name: options.name ?? 'sitewright',
    log: options.log ?? ((message: string, detail: Record<string, unknown>) => console.error(message, detail)),
  }
}
