import type { Store } from '../cache/index.js'
import { checkTags } from '../tags.js'

/** A store that can list its entries. */
export type ListableStore = Pick<Store, 'get' | 'entries'>

/**
 * Returns the URLs of the stored pages that a purge of the tags affects. Returns `undefined` if the store cannot list
 * its entries.
 */
export function storedPages(store: ListableStore | undefined, tags: readonly string[]): string[] | undefined {
  const entries = store?.entries?.()
  if (!entries) return undefined
  const purged = new Set(checkTags(tags))
  const pages = new Set<string>()
  for (const [key, entry] of entries) {
    // The key of a page is its URL, followed by the declared fields and cookies.
    const [url = ''] = key.split('#', 1)
    if (entry.kind === 'response' && entry.tags.some((tag) => purged.has(tag))) pages.add(url)
  }
  return [...pages].sort()
}
