import { optionError } from './option-error.js'
import { percentEncode } from './percent-encode.js'

/** The most tags of one response. */
export const maxTags = 10_000
/** The longest tag, in characters as a header bears it. */
export const maxTagLength = 1024

/** The tags of a response, or why they cannot be kept: then it is not stored, since a purge could miss it. */
export type ParsedTags = { tags: readonly string[]; fault?: never } | { fault: string; tags?: never }

/** A tag as a header can bear it: of what is no ASCII, or a comma, the bytes in UTF-8, percent-encoded. */
function encodeTag(tag: string): string {
  return tag.trim().replace(/[^\x20-\x2b\x2d-\x7e]+/g, percentEncode)
}

/**
 * The field with more tags, so that what is in front of the cache knows all of them, too.
 *
 * @example addTags('document, menu', ['menu', 'größe']) // 'document,menu,gr%C3%B6%C3%9Fe'
 */
export function addTags(field: string | null, tags: readonly string[]): string {
  const known = field?.split(',').map((tag) => tag.trim()) ?? []
  return [...new Set([...known, ...tags.map(encodeTag)])].filter(Boolean).join(',')
}

/**
 * Reads a `Cache-Tag` header: separated by commas, spaces around them ignored, each counted once. Letter case matters.
 *
 * @example parseTags('document, menu,, document') // { tags: ['document', 'menu'] }
 */
export function parseTags(field: string | null): ParsedTags {
  const tags = new Set<string>()
  for (const each of field?.split(',') ?? []) {
    const tag = encodeTag(each)
    if (!tag) continue
    if (tag.length > maxTagLength) return { fault: `a tag is longer than ${maxTagLength} characters` }
    tags.add(tag)
    if (tags.size > maxTags) return { fault: `more than ${maxTags} tags` }
  }
  return { tags: [...tags] }
}

/**
 * The tags to purge, each once: as they are, for whoever else asks the index, and as {@link parseTags} gives them.
 *
 * @throws TypeError when there is none, or one could never be on a response.
 */
export function checkTags(tags: readonly string[]): readonly string[] {
  if (!Array.isArray(tags) || tags.length === 0) {
    throw new TypeError("tags: write a list of one or more tags, such as ['document']")
  }
  const checked = tags.flatMap((tag: unknown) => {
    const text = typeof tag === 'string' && !tag.includes(',') ? tag.trim() : ''
    const encoded = encodeTag(text)
    if (encoded && encoded.length <= maxTagLength) return [text, encoded]
    throw new TypeError(`tags: ${JSON.stringify(tag)} is no tag; write a text without comma, such as 'document'`)
  })
  return [...new Set(checked)]
}

/**
 * Returns a tag.
 *
 * @throws TypeError that names the option when it is not a non-empty string.
 */
export function checkTag(tag: unknown, option = 'tags'): string {
  if (typeof tag === 'string' && tag !== '') return tag
  throw optionError(option, "non-empty strings, such as 'document'", tag)
}

/**
 * Returns the tags of a list, each once.
 *
 * @throws TypeError that names the option when it is not a list of non-empty strings.
 */
export function checkTagList(tags: unknown, option = 'tags'): readonly string[] {
  if (!Array.isArray(tags)) throw optionError(option, "a list of tags, such as ['document']", tags)
  return [...new Set(tags.map((tag) => checkTag(tag, option)))]
}

/**
 * Splits a `Cache-Tag` header at its commas, without white space around the tags and without empty ones.
 *
 * @example splitTags('document, menu,,') // ['document', 'menu']
 */
export function splitTags(field: string | null): string[] {
  return (field ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}
