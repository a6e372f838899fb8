import type { PurgeMode, TagIndex } from '../../../core/cache/index.js'
import { describeError } from '../../../core/describe-error.js'
import { withTimeout } from '../../../core/timeout.js'
import type { Settings } from './options.js'

/** What Next.js makes of the second argument of `revalidateTag`; `undefined`, of `updateTag` and `revalidatePath`. */
export type Durations = { expire?: number | undefined } | undefined

const oneYear = 365 * 24 * 60 * 60

/**
 * How far a purge goes. A profile lets the old page be served for up to `expire` seconds more, which Next.js counts by
 * clocks, and the tag index has none. So a purge is soft where they are as good as no bound, as with `max` (a year): the
 * old page is served once more, whenever that is. Otherwise readers wait: sooner than promised, never later.
 */
export function purgeModeOf(durations: Durations): PurgeMode {
  return durations && (durations.expire ?? oneYear) >= oneYear ? 'soft' : 'hard'
}

/**
 * All that Next.js may have made of the tags: it escapes what a header cannot hold, and parts those of pages at commas.
 *
 * @example everyForm(['größe', 'a,b']) // ['größe', 'gr%C3%B6%C3%9Fe', 'a,b', 'a', 'b']
 */
export function everyForm(tags: readonly string[]): string[] {
  const forms = tags.flatMap((tag) => {
    const escaped = tag.replace(/[^\t\x20-\x7e]+/g, encodeURIComponent)
    return [tag, escaped, ...escaped.split(',')]
  })
  return [...new Set(forms)].filter(Boolean)
}

/**
 * Purges the tags in every form.
 *
 * @throws when it is not known to be done within `timeout` milliseconds.
 */
export async function purgeTags(tagIndex: TagIndex, tags: readonly string[], mode: PurgeMode, timeout: number) {
  if (tags.length === 0) return
  await withTimeout(timeout, (async () => tagIndex.purge(everyForm(tags), mode))())
}

/** Creates what `revalidateTag` leads to: by then Next.js may have answered, so a failure is said aloud, too. */
export function createRevalidateTags({ tagIndex, timeout, log }: Pick<Settings, 'tagIndex' | 'timeout' | 'log'>) {
  return async (tags: readonly string[], durations?: Durations): Promise<void> => {
    try {
      await purgeTags(tagIndex, tags, purgeModeOf(durations), timeout)
    } catch (error) {
      log('Next.js cache: tags could not be purged', { tags, reason: describeError(error) })
      throw error
    }
  }
}
