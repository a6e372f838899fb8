import { isDevelopment } from './development.js'
import { parseTags } from './tag-names.js'

const maxTags = 10_000
const maxWarnings = 20
const maxListed = 10

/** Tags of the responses of this process, in development. */
const borne = new Set<string>()
const warned = new Set<string>()

/** Notes the tags of a response, in development, for {@link warnOfUnknownTags}. */
export function noteTags(response: Response | undefined): void {
  if (!response || borne.size >= maxTags || !isDevelopment()) return
  for (const tag of parseTags(response.headers.get('cache-tag')).tags ?? []) borne.add(tag)
}

/**
 * In development, warns of tags that no response has borne so far, once each: a purge of them is acknowledged and changes
 * nothing. Not before the first response with a tag, nor once there are more tags than are noted.
 */
export function warnOfUnknownTags(tags: readonly string[]): void {
  if (borne.size === 0 || borne.size >= maxTags || !isDevelopment()) return
  // Some are given twice, as they are and as they stand in headers.
  if (tags.some((tag) => borne.has(tag))) return
  for (const tag of tags) {
    if (warned.has(tag) || warned.size >= maxWarnings) continue
    warned.add(tag)
    const some = [...borne].slice(0, maxListed).join(', ')
    console.warn(`invalidate: expected a tag of a response, got '${tag}'; so far responses have had ${some}`)
  }
}
