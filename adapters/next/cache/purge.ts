import type { PurgeMode, TagIndex } from '../../../core/cache/index.js'
import { describeError } from '../../../core/log.js'
import { percentEncode } from '../../../core/tags.js'
import { withTimeout } from '../../../core/timeout.js'
import type { Settings } from './options.js'

/**
 * The profile of a `revalidateTag`, in seconds; `undefined` for `updateTag` and `revalidatePath`.
 */
export type Durations = { expire?: number | undefined } | undefined

const oneYear = 365 * 24 * 60 * 60

/**
 * Returns how far a purge goes. A profile lets the old page be served for up to `expire` seconds more, which Next.js
 * measures by clocks, and the tag index has none. So the purge is soft if `expire` is as good as unlimited, as with `max`
 * (a year): the old page is served once more, whenever that is. Otherwise it is hard: readers wait, sooner than the
 * profile demands but never later.
 */
export function toPurgeMode(durations: Durations): PurgeMode {
  return durations && (durations.expire ?? oneYear) >= oneYear ? 'soft' : 'hard'
}

/**
 * Returns the tags in all forms that Next.js may have given them: it escapes characters that a header cannot hold, and
 * splits the tags of pages at commas.
 *
 * @example tagVariants(['größe', 'a,b']) // ['größe', 'gr%C3%B6%C3%9Fe', 'a,b', 'a', 'b']
 */
export function tagVariants(tags: readonly string[]): string[] {
  const variants = tags.flatMap((tag) => {
    // Not by `encodeURIComponent`, which throws for half a surrogate pair, as in a title that a CMS has cut off.
    const escaped = tag.replace(/[^\t\x20-\x7e]+/g, percentEncode)
    return [tag, escaped, ...escaped.split(',')]
  })
  return [...new Set(variants)].filter(Boolean)
}

/**
 * Purges the tags in all their forms.
 *
 * @throws when the purge was not confirmed within `timeout` milliseconds.
 */
export async function purgeTags(
  tagIndex: TagIndex,
  tags: readonly string[],
  { mode, timeout }: { mode: PurgeMode; timeout: number },
): Promise<void> {
  if (tags.length === 0) return
  const purge = async () => tagIndex.purge(tagVariants(tags), mode)
  await withTimeout(timeout, purge())
}

/** Creates the `revalidateTag` of a handler. It logs errors as well, since Next.js may have responded by then. */
export function createRevalidateTags({ tagIndex, timeout, log }: Pick<Settings, 'tagIndex' | 'timeout' | 'log'>) {
  return async (tags: readonly string[], durations?: Durations): Promise<void> => {
    try {
      await purgeTags(tagIndex, tags, { mode: toPurgeMode(durations), timeout })
    } catch (error) {
      log('Next.js cache: tags could not be purged', { tags, reason: describeError(error) })
      throw error
    }
  }
}
