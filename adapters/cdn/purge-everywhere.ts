import type { Cdn } from './cdn.js'
import type { PurgeMode } from './provider.js'

export interface PurgeEverywhereOptions {
  /** The site's own store: the `invalidate` of its response cache. */
  invalidate: (tags: string[], options: { mode: PurgeMode }) => unknown
  /** The CDNs in front of it. */
  cdns: readonly Cdn[]
  /** How the CDNs are purged. Default `soft`. */
  mode?: PurgeMode | undefined
  /**
   * After how many milliseconds the CDNs are purged a second time, unless 0. Default 5,000. A page that the site had
   * begun to render before the purge may reach a CDN after it; this should be longer than a page takes.
   */
  repeatAfter?: number | undefined
  /** Told when the second purge failed; the first one rejects. Default: `console.error`. */
  log?: ((message: string, detail: Record<string, unknown>) => void) | undefined
}

/**
 * Creates the `invalidate` of the revalidation endpoint for a site with a CDN in front: the site's own store first, and
 * the CDNs only then, all at once, since what they have forgotten they ask of the site again. So its store is always
 * purged hard: softly, it would give them the old page once more, and they would keep it.
 *
 * What is created rejects when the store or any CDN failed, and the endpoint answers 503.
 *
 * @example
 * createRevalidateEndpoint({ secret, invalidate: purgeEverywhere({ invalidate: pages.invalidate, cdns: [cdn] }) })
 */
export function purgeEverywhere(options: PurgeEverywhereOptions): (tags: readonly string[]) => Promise<void> {
  const { invalidate, cdns, mode = 'soft', repeatAfter = 5000 } = options
  const log = options.log ?? ((message: string, detail: Record<string, unknown>) => console.error(message, detail))
  if (!(repeatAfter >= 0 && repeatAfter < 2 ** 31)) {
    throw new TypeError(`repeatAfter: '${repeatAfter}' is no time; write milliseconds, such as 5000, or 0`)
  }

  return async (tags) => {
    await invalidate([...tags], { mode: 'hard' })
    if (repeatAfter > 0 && cdns.length > 0) {
      const timer: { unref?: () => void } | number = setTimeout(() => {
        purgeCdns(cdns, tags, mode).catch((error) => log('Second purge failed', { reason: (error as Error).message }))
      }, repeatAfter)
      // A process that ends need not wait: what it was rendering ends with it.
      if (typeof timer === 'object') timer.unref?.()
    }
    await purgeCdns(cdns, tags, mode)
  }
}

async function purgeCdns(cdns: readonly Cdn[], tags: readonly string[], mode: PurgeMode): Promise<void> {
  const results = await Promise.allSettled(cdns.map((cdn) => cdn.purge(tags, { mode })))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
}
