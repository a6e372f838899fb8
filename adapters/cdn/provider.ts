import type { TagFormat } from './tags.js'

/** `soft`: what bears a tag is stale, and may be served while it is fetched anew. `hard`: it is gone at once. */
export type PurgeMode = 'soft' | 'hard'

/** One call of a purge API. */
export interface PurgeCall {
  url: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** What one provider does in its own way. */
export interface Provider extends TagFormat {
  name: string
  /** Most tags that one call may name. */
  batchSize: number
  /** The call that purges the tags, which are encoded and no more than {@link batchSize}. */
  purgeCall(tags: readonly string[], mode: PurgeMode): PurgeCall
  /** Tells whether the body of an answer with status 2xx says yes. Without it, the status does. */
  isSuccess?(body: string): boolean
}
