import type { PurgeMode } from '../../core/cache/index.js'
import type { Handler } from '../../core/handler.js'
import { secretError } from '../../core/option-error.js'
import { checkFunction, type OptionChecks, required } from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'

/** A CDN in front of the site: tags responses for it, and purges it by tag. */
export interface Cdn {
  readonly name: string
  /**
   * Returns the response headers that tag a response, or no headers without tags. When there are more tags than the CDN
   * accepts, it returns headers that keep the response out of the CDN, since a purge could miss it.
   *
   * @throws TypeError when a tag is empty.
   */
  headers(tags: readonly string[]): Record<string, string>
  /**
   * Purges everything that has one of the tags. Resolves once the CDN has confirmed every tag. Purges at the same time share
   * their calls to the API. Default mode: `'soft'`.
   *
   * @throws Error that names the tags that were not purged; TypeError when a tag is empty or the mode unknown.
   */
  purge(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

export interface CdnOptions {
  /** An API token with the right to purge. */
  token: string
  /**
   * Sends the API calls; any `fetch`-shaped function. It should stop when the request's signal aborts. Default: the
   * global `fetch`.
   */
  fetch?: Handler | undefined
  /**
   * Time limit for a purge with its wait for other purges, calls and retries, in milliseconds. Purges that share calls have that of
   * the first. Default 8,000: less than that of the revalidation endpoint, so that its log shows the reason.
   */
  timeout?: number | undefined
}

/** One CDN's format of tags, and its API. */
export interface Provider {
  name: string
  /** Name of the response header. */
  header: string
  /** Separator between two tags. */
  separator: string
  /** Maximum length of a tag, in characters. */
  maxTagLength: number
  /** Maximum number of tags of one response. Default: unlimited. */
  maxTags?: number
  /** Maximum length of the header's value, in characters. Default: unlimited. */
  maxHeaderLength?: number
  /** Headers that keep a response out of this CDN. */
  noStoreHeaders: Record<string, string>
  /** Maximum number of tags of one call. */
  batchSize: number
  /** Returns the call, a POST of JSON, that purges the tags, which are encoded and at most {@link batchSize}. */
  purgeCall(tags: readonly string[], mode: PurgeMode): PurgeCall
  /** Returns whether the body of a 2xx response reports success. Default: every 2xx is a success. */
  isSuccess?(body: string): boolean
}

/** One call of a purge API. */
export interface PurgeCall {
  url: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export const cdnChecks: OptionChecks<CdnOptions> = {
  token: required(checkToken),
  fetch: checkFunction,
  timeout: checkTimeout,
}

/**
 * Returns an id of the provider that can be part of a URL.
 *
 * @throws TypeError that names the option when it is missing or malformed.
 */
export function checkId(option: string, id: unknown): string {
  if (typeof id === 'string' && /^[\w.-]+$/.test(id) && !/^\.+$/.test(id)) return id
  // Not shown, since it may be the token in the wrong place.
  const got = id ? 'a malformed one' : 'none'
  throw secretError(option, "an id of letters, digits, '_', '.' and '-'", got, "copy it from the provider's dashboard")
}

/** No header can carry another token. */
function checkToken(option: string, token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw secretError(option, 'an API token', token ? 'a malformed one' : 'none', 'check for white space at its end')
}
