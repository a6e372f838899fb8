import { isDevelopment, warnOnce } from '../../development.js'
import { parseTags } from '../../tag-names.js'
import type { TagIndex } from './tag-index.js'

const maxTags = 10_000
const maxListed = 10

/** The tags of the responses of the caches that share a tag index: a purge reaches all of them. */
export interface SeenTags {
  /** Notes the tags of a response, in development. */
  note(response: Response | undefined): void
  /**
   * In development, warns of tags that no response has had so far, once each: a purge of them is acknowledged, and most likely
   * changes nothing. Not before the first response with a tag, nor once there are more tags than are noted.
   */
  warnOfUnknown(tags: readonly string[]): void
}

const byIndex = new WeakMap<TagIndex, SeenTags>()

/** Returns the tags of the responses that a purge of this index reaches. */
export function seenTagsOf(tagIndex: TagIndex): SeenTags {
  const known = byIndex.get(tagIndex)
  if (known) return known
  const created = createSeenTags()
  byIndex.set(tagIndex, created)
  return created
}

function createSeenTags(): SeenTags {
  const seen = new Set<string>()
  const warn = warnOnce()
  return {
    note(response) {
      if (!response || seen.size >= maxTags || !isDevelopment()) return
      const { tags = [] } = parseTags(response.headers.get('cache-tag'))
      for (const tag of tags) if (!isSource(tag)) seen.add(tag)
    },
    warnOfUnknown(tags) {
      if (seen.size === 0 || seen.size >= maxTags) return
      // Some are given twice, as they are and as they stand in headers.
      if (tags.some((tag) => seen.has(tag) || isSource(tag))) return
      for (const tag of tags) {
        warn(() => {
          const some = [...seen].slice(0, maxListed).join(', ')
          return `invalidate: expected a tag of a response, got '${tag}'; since the start, responses have had ${some}. ${advice}`
        }, tag)
      }
    },
  }
}

const advice =
  'If its pages were not visited since, all is well; else compare the Cache-Tag of a page with what is purged'

/** Whether a tag is that of an image: its source. It is purged in the pages' cache as well, where most pages have none. */
function isSource(tag: string): boolean {
  return tag.startsWith('/') || tag.includes('://')
}
