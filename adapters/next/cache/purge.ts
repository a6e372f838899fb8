import type { PurgeMode, TagIndex } from '../../../core/cache/index.js'
import { describeError, type Log } from '../../../core/log.js'
import { pathTag, percentEncode } from '../../../core/tags.js'
import { withTimeout } from '../../../core/timeout.js'

/** In seconds. */
export const oneYear = 365 * 24 * 60 * 60

/** The profile passed to `revalidateTag`, in seconds; `undefined` for `updateTag` and `revalidatePath`. */
export type Durations = { expire?: number | undefined } | undefined

/**
 * Returns the mode of a purge. A profile lets the old page be served for up to `expire` more seconds. Next.js measures
 * this time with clocks, but the tag index only counts purges. The purge is therefore soft if `expire` is practically
 * unlimited, as with `max` (a year): the old page is served once more, no matter when. Otherwise the purge is hard:
 * readers wait for the new page, perhaps earlier than the profile requires, but never later.
 */
export function toPurgeMode(durations: Durations): PurgeMode {
  return durations && (durations.expire ?? oneYear) >= oneYear ? 'soft' : 'hard'
}

/**
 * Returns the tags in every form that Next.js may have given them. Next.js escapes characters that a header cannot
 * contain, and splits page tags at commas.
 *
 * @example tagVariants(['größe', 'a,b']) // ['größe', 'gr%C3%B6%C3%9Fe', 'a,b', 'a', 'b']
 */
export function tagVariants(tags: readonly string[]): string[] {
  const variants = tags.flatMap((tag) => {
    // Not with `encodeURIComponent`, which throws for half a surrogate pair, as in a title that a CMS has truncated.
    const escaped = tag.replace(/[^\t\x20-\x7e]+/g, percentEncode)
    return [tag, escaped, ...escaped.split(',')]
  })
  return [...new Set(variants)].filter(Boolean)
}

/**
 * Returns a path in every form in which Next.js may have tagged its page. `next build` encodes each segment. A later
 * render decodes the segment on Next.js 16; on 15, it takes the segment from the visitor's URL, including a trailing
 * slash. A page's tags are joined by commas, so if a path contains a comma, only the part before the comma is found.
 *
 * @example pathForms('/a/x,y z') // ['/a/x%2Cy%20z', '/a/x%2Cy%20z/', '/a/x,y z', '/a/x,y z/', '/a/x', '/a/x,y%20z', …]
 */
export function pathForms(path: string): string[] {
  const tag = pathTag(path)
  const segments = tag.split('/').map(decodeSegment)
  const built = segments.map(encodeURIComponent).join('/')
  const rendered = segments
    .map(escapeDelimiters)
    .join('/')
    .replace(/[^\t\x20-\x7e]+/g, percentEncode)
  const visited = tag.replaceAll('%2C', ',').replaceAll("'", '%27')
  const forms = [built, rendered, visited].flatMap((form) => [
    form,
    form.replace(/[^/]$/, '$&/'),
    form.replace(/,.*/s, ''),
  ])
  return [...new Set(forms)]
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Escapes delimiters as Next.js does, so that one segment does not become two. */
function escapeDelimiters(segment: string): string {
  return segment.replace(/[/#?\\]|%(?:2f|23|3f|5c)/gi, encodeURIComponent)
}

/**
 * Purges the tags in all their forms.
 *
 * @param log Also receives the thrown error, because Next.js may already have sent the response.
 * @throws when the purge was not confirmed within `timeout` milliseconds.
 */
export async function purgeTags(
  { tagIndex, timeout, log }: { tagIndex: TagIndex; timeout: number; log?: Log },
  tags: readonly string[],
  mode: PurgeMode,
): Promise<void> {
  if (tags.length === 0) return
  try {
    await withTimeout(timeout, (async () => tagIndex.purge(tagVariants(tags), mode))())
  } catch (error) {
    log?.('Next.js cache: tags could not be purged', { tags, reason: describeError(error) })
    throw error
  }
}
