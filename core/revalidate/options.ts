import type { Log } from '../log.js'
import {
  checkBoolean,
  checkFunction,
  functionAs,
  integer,
  type OptionChecks,
  required,
  unchecked,
  withMethod,
} from '../options.js'
import { parseRoutePath } from '../routes.js'
import type { Secret } from '../secrets.js'
import { checkTimeout } from '../timeout.js'
import type { VerifyRequest } from './authorize.js'
import type { Inspect } from './live.js'
import type { ListableStore } from './stored-pages.js'
import type { TagOptions } from './tags.js'

/** Invalidates everything that has one of the tags. Throws or rejects on failure. */
export type Invalidate = (tags: string[]) => unknown

/** How requests are authorized: by `secret` or by `verify`. */
export type RevalidateAuthorization =
  | {
      /**
       * The token that a request must carry, or a list of tokens during a rotation: visible ASCII without commas or
       * white space. If there is no token, or if all are empty, every response is a 500, and this is logged when the
       * endpoint is created.
       */
      secret?: Secret
      verify?: undefined
    }
  | {
      /** Verifies the signature of a CMS webhook, instead of `secret`. */
      verify: VerifyRequest
      secret?: undefined
    }

export type RevalidateOptions = RevalidateSettings & RevalidateAuthorization

export interface RevalidateSettings extends TagOptions {
  /**
   * Invalidates everything that has one of the tags: the `invalidate` of a response cache, or Next.js' `revalidateTag`.
   * When it throws or rejects, the response is a 503, and the endpoint calls it again with the same tags until it
   * succeeds, because most CMSs send a webhook only once: after a second, then at growing intervals, at least once a
   * minute. With more than 1,000 tags to be tried again, all pages are purged instead. A process that exits forgets
   * these tags.
   */
  invalidate: Invalidate
  /**
   * The store of the response cache, if it can list its entries: `memoryStore(…)`. With it, the response to a request
   * with `?dry-run` and the token lists the tags and the URLs of the stored pages that the request would purge.
   * Default: the response lists only the tags, and has a `hint`.
   */
  store?: ListableStore | undefined
  /**
   * Tells whether a page is live: the `inspect` of the response cache. Then `GET ?path=/articles/boats` with the token
   * answers when the page was rendered, of which content, and when it was purged last; and a browser that opens the
   * endpoint gets a page on which an editor types an address and the token, sees this, and purges the page. Needs
   * `secret`, and no `allowGet`. Default: `GET` is not allowed.
   */
  inspect?: Inspect | undefined
  /** Path of the endpoint. Default `'/api/revalidate'`. */
  path?: string | undefined
  /** Whether `GET` is allowed too, for a CMS that cannot send `POST`. Default `false`. */
  allowGet?: boolean | undefined
  /**
   * Largest body, in bytes. With a token and `content`, a larger body purges all pages, because it cannot be read;
   * otherwise, the response is a 413. Default: 8 MiB with a token and `content` or `getTags`, because an entry of Strapi
   * has its relations (a tag with 40 articles: 4.8 MB); 2 MiB with `verify`, because anyone can make the endpoint read a
   * body before its signature is verified; 64 KiB otherwise. Sanity's documents have up to 32 MB, of which a projection
   * sends a part.
   */
  maxBodyBytes?: number | undefined
  /** Time limit for `invalidate`, in milliseconds. If it is exceeded, the response is a 503. Default 10,000. */
  timeout?: number | undefined
  /**
   * Receives warnings and errors, but never a token. Each reason is logged at most once a minute, with the number of
   * suppressed messages in `suppressed`. A message has at most ten tags, and the number of further tags in `moreTags`.
   * With `content`, each purge is logged, too. Default: `console.warn`.
   */
  log?: Log | undefined
}

// If a site forgets to call one of these, it would reject every webhook.
const vendors = ['verifyContentful', 'verifyPrismic', 'verifySanity', 'verifyStandardWebhook', 'verifyStoryblok']

export const revalidateChecks: OptionChecks<RevalidateOptions> = {
  secret: unchecked,
  verify: functionAs('a function, such as verifySanity({ secret })', vendors),
  invalidate: required(functionAs('a function, such as the invalidate of a response cache')),
  path: parseRoutePath,
  tags: unchecked,
  allowTags: checkBoolean,
  getTags: checkFunction,
  content: withMethod('getTags', 'the result of createContentTags'),
  store: withMethod('get', 'the store of the response cache, such as memoryStore({ maxBytes: 64 * 1024 ** 2 })'),
  images: withMethod('tagOf', 'the result of createImages, not its handler'),
  pathsOf: checkFunction,
  inspect: functionAs('the inspect of a response cache'),
  allowGet: checkBoolean,
  maxBodyBytes: integer(1),
  timeout: checkTimeout,
  log: checkFunction,
}
