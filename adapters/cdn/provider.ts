import type { MaybePromise } from '../../core/async.js'
import type { PurgeMode } from '../../core/cache/index.js'
import type { Handler } from '../../core/handler.js'
import { secretError } from '../../core/option-error.js'
import { checkFunction, type OptionChecks, required } from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'

/** A CDN in front of the site. Its methods tag responses for the CDN, and purge it by tag. */
export interface Cdn {
  readonly name: string
  /**
   * Whether the CDN charges for each tag of a purge. If so, {@link purgeEverywhere} purges it a second time only if
   * `repeatAfter` is set.
   */
  readonly isBilledByTag?: boolean | undefined
  /**
   * Returns the headers that tag a response; without tags, it returns no headers. If there are more tags than the CDN
   * accepts, the headers contain the groups of the tags instead: `post:` for `post:42`, `post:43` and so on. A purge of
   * any of these tags also purges their group. If there are too many groups as well, the headers keep the response out
   * of the CDN, because a purge could miss it.
   *
   * @throws TypeError when a tag is empty.
   */
  headers(tags: readonly string[]): Record<string, string>
  /**
   * Purges everything that has one of the tags or their groups. Resolves once the CDN has confirmed every tag.
   * Concurrent purges share their API calls. Default mode: `'soft'`,
   * unlike `invalidate` of the response cache, which purges hard.
   *
   * @throws Error that names the tags that were not purged; TypeError when a tag is empty or the mode is unknown.
   */
  purge(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

export interface CdnOptions {
  /** An API token with permission to purge. */
  token: string
  /**
   * Sends the API calls; any `fetch`-shaped function. It should stop when the request's signal aborts. Default: the
   * global `fetch`.
   */
  fetch?: Handler | undefined
  /**
   * Time limit for a purge in milliseconds, including its wait for other purges, its calls and its retries. Purges that
   * share calls share the first purge's limit. Default 8,000: less than the revalidation endpoint's limit, so that the
   * endpoint's log shows the reason.
   */
  timeout?: number | undefined
}

/** A CDN's tag format and its purge API. */
export interface Provider {
  name: string
  /** Name of the response header. */
  header: string
  /** Separator between two tags. */
  separator: string
  /** Maximum length of a tag, in characters. */
  maxTagLength: number
  /** Maximum number of tags per response. Default: unlimited. */
  maxTagsInHeader?: number
  /** Maximum length of the header's value, in characters. Default: unlimited. */
  maxHeaderLength?: number
  /** Headers that keep a response out of this CDN. */
  noStoreHeaders: Record<string, string>
  /** Maximum number of tags per call. */
  batchSize: number
  /**
   * Returns the call that purges the tags, a POST. The tags are encoded, and there are at most {@link batchSize}.
   *
   * @param reference A unique id, which stays the same when the call is repeated.
   */
  purgeCall(tags: readonly string[], mode: PurgeMode, reference: string): MaybePromise<PurgeCall>
  /** Returns whether the body of a 2xx response reports success. Default: every 2xx is a success. */
  isSuccess?(body: string): boolean
  /**
   * Returns what the body of an error says, and whether the failure is temporary though its status is not one of those
   * that always are. Default: the body itself.
   */
  readFailure?(body: string): { reason: string; isTemporary: boolean }
}

/** A call to a purge API. */
export interface PurgeCall {
  url: string
  headers: Record<string, string>
  /** A text, or an object that is sent as JSON. */
  body: string | Record<string, unknown>
  /** Secrets of the call, which no error shows, besides the token. */
  secrets?: readonly (string | undefined)[]
}

export const cdnChecks: OptionChecks<CdnOptions> = {
  token: required((option, token) => checkToken(option, token, 'an API token', 'check for white space at its end')),
  fetch: checkFunction,
  timeout: checkTimeout,
}

/**
 * Returns a provider's id after checking that it can be part of a URL.
 *
 * @throws TypeError that names the option when it is missing or malformed.
 */
export function checkId(option: string, id: unknown): string {
  if (typeof id === 'string' && /^[\w.-]+$/.test(id) && !/^\.+$/.test(id)) return id
  // Do not show the value, because it may be a token in the wrong place.
  const got = id ? 'a malformed one' : 'none'
  throw secretError(option, "an id of letters, digits, '_', '.' and '-'", got, "copy it from the provider's dashboard")
}

/** Returns a token, or other credentials, if a header can carry it. */
export function checkToken(option: string, token: unknown, expected: string, hint: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw secretError(option, expected, token ? 'a malformed one' : 'none', hint)
}
