import type { Handler } from '../../core/handler.js'
import type { PurgeLimits } from './limits.js'
import type { Provider, PurgeMode } from './provider.js'
import { purgeBatches } from './purge-batches.js'
import { encodeTag, tagHeaders } from './tags.js'

/** A CDN in front of the site: how it is told which tags a response bears, and to forget those that bear one. */
export interface Cdn {
  readonly name: string
  /**
   * The response headers that say the tags; none when there are no tags. When they are more than the CDN would take
   * note of, the headers keep the response out of it, since no purge could reach it there.
   *
   * @throws TypeError when a tag is empty.
   */
  headers(tags: readonly string[]): Record<string, string>
  /**
   * Purges what bears one of the tags. Resolves once the CDN has taken note of every tag. Default mode: `soft`.
   *
   * @throws PurgeError that names the tags that were not purged; TypeError when a tag is empty or the mode unknown.
   */
  purge(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

export interface CdnOptions extends PurgeLimits {
  /**
   * Asks the CDN; any function shaped like `fetch`. It should stop at the request's signal. Default: the global
   * `fetch`.
   */
  fetch?: Handler | undefined
}

/** Creates the adapter of a provider. */
export function createCdn(provider: Provider, { fetch: ask, ...limits }: CdnOptions): Cdn {
  const run = purgeBatches(provider, { ask: ask ?? ((request) => fetch(request)), ...limits })
  return {
    name: provider.name,
    headers: (tags) => tagHeaders(provider, tags),
    async purge(tags, { mode = 'soft' } = {}) {
      if (mode !== 'soft' && mode !== 'hard') throw new TypeError(`mode: '${mode}' is unknown; write 'soft' or 'hard'`)
      const names = new Map<string, string[]>()
      for (const tag of new Set(tags)) {
        const name = encodeTag(tag, provider.maxTagLength)
        names.set(name, [...(names.get(name) ?? []), tag])
      }
      await run(names, mode)
    },
  }
}
