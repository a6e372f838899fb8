import type { Unpacked } from './entry.js'
import { now } from './options.js'

/** When a page is to be rendered anew, and when it may no longer be served, in seconds. */
export interface Lifetime {
  revalidate: number | false
  expire?: number | undefined
}

/** What Next.js keeps of a page, a route or a piece of data, as far as it matters here. `null`: it was not found. */
export type NextValue = { kind: string; headers?: Record<string, unknown> | undefined } | null

/** What is kept: the value as Next.js gave it, and its lifetime. */
export interface Kept {
  value: NextValue
  cacheControl?: Lifetime | undefined
}

/** What Next.js takes from a handler. */
export interface CacheHandlerValue {
  /** Milliseconds since 1970, by the clock of this process. */
  lastModified: number
  value: NextValue
  cacheControl?: Lifetime | undefined
}

const tagsHeader = 'x-next-cache-tags'

// Older than Next.js lets any data be: the `revalidate: false` of a fetch stands for 136 years.
const ageless = -(2 ** 43)

/** The tags of a value: those of data come beside it, those of a page are among its headers. */
export function tagsOf(value: NextValue, tags: readonly string[] = []): string[] {
  const header = value?.headers?.[tagsHeader]
  return [...tags, ...(typeof header === 'string' ? header.split(',').filter(Boolean) : [])]
}

/**
 * What Next.js is told about a value that was not purged hard. It has no word for "stale" here, so a softly purged value
 * is told to be too old: then Next.js serves it once more, and renders anew in the background.
 *
 * @param canBeStale Whether this Next.js takes the lifetime of a page from the handler. Others could not be told.
 */
export function answerFor({ value: unpacked, age, purge }: Unpacked, canBeStale: boolean): CacheHandlerValue | null {
  const { value, cacheControl } = unpacked as Kept
  const lastModified = now() - age * 1000
  if (purge === 'none') return { lastModified, value, cacheControl }
  if (!canBeStale) return null
  if (value?.kind === 'FETCH') return { lastModified: ageless, value }
  return { lastModified: Math.min(lastModified, now() - 2000), value, cacheControl: { ...cacheControl, revalidate: 1 } }
}
