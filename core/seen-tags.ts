import { isDevelopment } from './development.js'
import { parseTags } from './tag-names.js'

const maxTags = 10_000
const maxWarnings = 20
const maxListed = 10

/** Tags of the responses of this process, in development. */
const seen = new Set<string>()
const warned = new Set<string>()

/** Notes the tags of a response, in development, for {@link warnOfUnknownTags}. */
export function noteTags(response: Response | undefined): void {
  if (!response || seen.size >= maxTags || !isDevelopment()) return
  for (const tag of parseTags(response.headers.get('cache-tag')).tags ?? []) seen.add(tag)
}

/**
 * In development, warns of tags that no response has had so far, once each: a purge of them is acknowledged and changes
 * nothing. Not before the first response with a tag, nor once there are more tags than are noted.
 */
export function warnOfUnknownTags(tags: readonly string[]): void {
  if (seen.size === 0 || seen.size >= maxTags || !isDevelopment()) return
  // Some are given twice, as they are and as they stand in headers.
  if (tags.some((tag) => seen.has(tag))) return
  for (const tag of tags) {
    if (warned.has(tag) || warned.size >= maxWarnings) continue
    warned.add(tag)
    const some = [...seen].slice(0, maxListed).join(', ')
    console.warn(`invalidate: expected a tag of a response, got '${tag}'; so far responses have had ${some}`)
  }
}
