/** The most tags of one response. */
export const maxTags = 10_000
/** The longest tag, in characters. */
export const maxTagLength = 1024

/** The tags of a response, or why they cannot be kept: then it is not stored, since a purge could miss it. */
export type ParsedTags = { tags: readonly string[]; fault?: never } | { fault: string; tags?: never }

/**
 * Reads a `Cache-Tag` header: separated by commas, spaces around them ignored, each counted once. Letter case matters.
 *
 * @example parseTags('document, menu,, document') // { tags: ['document', 'menu'] }
 */
export function parseTags(field: string | null, more: readonly string[] = []): ParsedTags {
  if (!field && more.length === 0) return { tags: [] }
  const tags = new Set<string>()
  for (const each of [...(field?.split(',') ?? []), ...more]) {
    const tag = each.trim()
    if (!tag) continue
    if (tag.length > maxTagLength) return { fault: `a tag is longer than ${maxTagLength} characters` }
    tags.add(tag)
    if (tags.size > maxTags) return { fault: `more than ${maxTags} tags` }
  }
  return { tags: [...tags] }
}

/**
 * The tags to purge, each once, without spaces around them.
 *
 * @throws TypeError when there is none, or one could never be on a response.
 */
export function checkTags(tags: readonly string[]): readonly string[] {
  if (!Array.isArray(tags) || tags.length === 0) {
    throw new TypeError("tags: write a list of one or more tags, such as ['document']")
  }
  const checked = tags.map((tag: unknown) => {
    const trimmed = typeof tag === 'string' ? tag.trim() : ''
    if (trimmed && !trimmed.includes(',') && trimmed.length <= maxTagLength) return trimmed
    throw new TypeError(`tags: ${JSON.stringify(tag)} is no tag; write a text without comma, such as 'document'`)
  })
  return [...new Set(checked)]
}
