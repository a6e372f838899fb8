import { sha256Hex } from './crypto.js'
import { optionError } from './option-error.js'
import { normalizePath, pageOf } from './routes.js'

/** Maximum number of tags of a response. */
export const maxTagsPerResponse = 10_000
/** Maximum length of a tag, as encoded in a header, in characters. */
export const maxTagLength = 1024

// Matches nearly all tags, which need no encoding. A page with a hundred tags encodes each of them several times.
const encodedTag = /^[!-+\--~]{1,256}$/

const encoder = new TextEncoder()

/** Encodes each UTF-8 byte of a text as `%XX`. */
export function percentEncode(text: string): string {
  return Array.from(encoder.encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

/**
 * Encodes a tag, in the same way for the header of a response and for a purge. Trims the tag, percent-encodes commas
 * and everything but printable ASCII as UTF-8, and limits it to 1,024 characters with {@link shortenTag}. An encoded
 * tag is returned unchanged.
 *
 * @example encodeTag('news, größe') // 'news%2C gr%C3%B6%C3%9Fe'
 */
export function encodeTag(tag: string): string {
  if (encodedTag.test(tag)) return tag
  return shortenTag(tag.trim().replace(/[^\x20-\x2b\x2d-\x7e]+/g, percentEncode), maxTagLength)
}

/** Returns an encoded tag, or `sha256-` followed by its hex digest if it is too long. */
export function shortenTag(encoded: string, maxLength: number): string {
  return encoded.length > maxLength ? `sha256-${sha256Hex(encoded)}` : encoded
}

/**
 * Returns the tag of the page at a path. The tag is the same for any query, with or without a trailing slash, and for
 * the data of the page.
 *
 * @param pathname Percent-encoded or not.
 * @example pathTag('/artikel/größe/') // '/artikel/gr%C3%B6%C3%9Fe'
 */
export function pathTag(pathname: string): string {
  const url = new URL('http://localhost')
  url.pathname = pageOf(pathname)
  return encodeTag(normalizePath(url.pathname).replace(/(?<!\/)\/+$/, '') || '/')
}

/**
 * Returns the tags of a `Cache-Tag` header and added tags: encoded, and without duplicates. Tags are case-sensitive.
 *
 * @param added Encoded tags.
 * @example parseTags('document, menu,, document', ['gr%C3%B6%C3%9Fe']) // ['document', 'menu', 'gr%C3%B6%C3%9Fe']
 */
export function parseTags(field: string | null, added: readonly string[] = []): string[] {
  return [...new Set([...splitTags(field).map(encodeTag), ...added])]
}

/**
 * Returns the tags to purge, without duplicates. Each tag is returned unchanged, for other users of the tag index, and
 * as {@link parseTags} returns it. A path is also returned as {@link pathTag} returns it.
 *
 * @throws TypeError when the list is empty or has an empty tag.
 */
export function checkTags(tags: readonly string[]): readonly string[] {
  if (!Array.isArray(tags) || tags.length === 0) {
    throw optionError('tags', "a list of one or more tags, such as ['document']", tags)
  }
  const checked = tags.flatMap((tag: unknown) => {
    const text = checkTag(tag).trim()
    const path = text.startsWith('/') ? [pathTag(text)] : []
    return text.length <= maxTagLength ? [text, encodeTag(text), ...path] : [encodeTag(text), ...path]
  })
  return [...new Set(checked)]
}

/**
 * Checks a tag, and returns it.
 *
 * @throws TypeError that names the option if the tag is not a non-empty string.
 */
export function checkTag(tag: unknown, option = 'tags'): string {
  if (typeof tag === 'string' && tag.trim() !== '') return tag
  throw optionError(option, "non-empty strings, such as 'document'", tag)
}

/**
 * Checks a list of tags, and returns it without duplicates.
 *
 * @throws TypeError that names the option if it is not a list of non-empty strings.
 */
export function checkTagList(tags: unknown, option = 'tags'): readonly string[] {
  if (!Array.isArray(tags)) throw optionError(option, "a list of tags, such as ['document']", tags)
  return [...new Set(tags.map((tag) => checkTag(tag, option)))]
}

/**
 * Splits a `Cache-Tag` header at its commas. Trims the tags, and leaves out empty ones.
 *
 * @example splitTags('document, menu,,') // ['document', 'menu']
 */
export function splitTags(field: string | null): string[] {
  const tags: string[] = []
  for (const piece of field?.split(',') ?? []) {
    const tag = piece.trim()
    if (tag) tags.push(tag)
  }
  return tags
}
