import type { PurgeMode } from '../../core/cache/index.js'
import type { Handler } from '../../core/handler.js'
import { checkFunction, type OptionChecks } from '../../core/options.js'
import { optionError } from '../../core/option-error.js'
import { limitChecks, type PurgeLimits } from './limits.js'
import type { Provider } from './provider.js'
import { createPurgeQueue } from './purge-queue.js'
import { encodeCdnTag, tagHeaders } from './tags.js'

/** A CDN in front of the site: tags responses for it, and purges it by tag. */
export interface Cdn {
  readonly name: string
  /**
   * Returns the response headers that tag a response; none when there are no tags. When there are more than the CDN
   * accepts, it returns headers that keep the response out of the CDN, since a purge could miss it.
   *
   * @throws TypeError when a tag is empty.
   */
  headers(tags: readonly string[]): Record<string, string>
  /**
   * Purges everything that has one of the tags. Resolves once the CDN has confirmed every tag. Purges at the same time share
   * their calls to the API. Default mode: `'soft'`.
   *
   * @throws PurgeError that names the tags that were not purged; TypeError when a tag is empty or the mode unknown.
   */
  purge(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

export interface CdnOptions extends PurgeLimits {
  /**
   * Sends the API calls; any `fetch`-shaped function. It should stop when the request's signal aborts. Default: the
   * global `fetch`.
   */
  fetch?: Handler | undefined
}

export const cdnChecks: OptionChecks<CdnOptions> = { ...limitChecks, fetch: checkFunction }

/** Creates a {@link Cdn} from a provider. */
export function createCdn(provider: Provider, { fetch: send, ...limits }: CdnOptions): Cdn {
  const purge = createPurgeQueue(provider, { send: send ?? ((request) => fetch(request)), ...limits })
  return {
    name: provider.name,
    headers: (tags) => tagHeaders(provider, tags),
    async purge(tags, { mode = 'soft' } = {}) {
      if (mode !== 'soft' && mode !== 'hard') throw optionError('mode', "'soft' or 'hard'", mode)
      const tagsByEncoded = new Map<string, string[]>()
      for (const tag of new Set(tags)) {
        const encoded = encodeCdnTag(tag, provider.maxTagLength)
        tagsByEncoded.set(encoded, [...(tagsByEncoded.get(encoded) ?? []), tag])
      }
      await purge(tagsByEncoded, mode)
    },
  }
}
