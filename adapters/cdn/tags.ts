import { checkTag, encodeTag, shortenTag } from '../../core/tags.js'

/** How a provider expects the tags of a response. */
export interface TagFormat {
  /** Name of the response header. */
  header: string
  /** Separator between two tags. */
  separator: string
  /** Maximum length of a tag, in characters. */
  maxTagLength: number
  /** Maximum number of tags of one response. */
  maxTags: number
  /** Maximum length of the header's value, in characters. */
  maxHeaderLength: number
  /** Headers that keep a response out of this CDN. */
  noStoreHeaders: Record<string, string>
}

/**
 * Encodes a tag so that every CDN accepts it, the same in the header and in the purge: as the response cache does
 * ({@link encodeTag}), and spaces besides, within the limit of the CDN. Plain names such as `post:42` stay as they are, and so does a `%`: two tags with the same encoding are purged together, which is more
 * than needed but never less.
 *
 * @throws TypeError when the tag is not a non-empty string.
 * @example encodeCdnTag('news, Zürich', 1024) // 'news%2C%20Z%C3%BCrich'
 */
export function encodeCdnTag(tag: string, maxLength: number): string {
  return shortenTag(encodeTag(checkTag(tag)).replaceAll(' ', '%20'), maxLength)
}

/** Returns the headers that tag a response, or those that keep it out of the CDN when its tags are too many. */
export function tagHeaders(format: TagFormat, tags: readonly string[]): Record<string, string> {
  const encoded = new Set(tags.map((tag) => encodeCdnTag(tag, format.maxTagLength)))
  if (encoded.size === 0) return {}
  const value = [...encoded].join(format.separator)
  if (encoded.size > format.maxTags || value.length > format.maxHeaderLength) return { ...format.noStoreHeaders }
  return { [format.header]: value }
}
