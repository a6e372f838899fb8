import type { PurgeMode } from '../../core/cache/index.js'
import type { TagFormat } from './tags.js'

/** One call of a purge API. */
export interface PurgeCall {
  url: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** What is specific to one CDN. */
export interface Provider extends TagFormat {
  name: string
  /** API token, for removing it from messages. */
  token: string
  /** How many tags one call may name. */
  batchSize: number
  /** Returns the call that purges the tags, which are encoded and at most {@link batchSize}. */
  purgeCall(tags: readonly string[], mode: PurgeMode): PurgeCall
  /** Returns whether the body of a 2xx response reports success. Default: every 2xx is a success. */
  isSuccess?(body: string): boolean
}
