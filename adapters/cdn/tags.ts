import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { percentEncode } from '../../core/percent-encode.js'

/** How a provider takes the tags of a response. */
export interface TagFormat {
  /** Name of the response header. */
  header: string
  /** What stands between two tags. */
  separator: string
  /** Longest tag, in characters. */
  maxTagLength: number
  /** Most tags of one response. */
  maxTags: number
  /** Longest value of the header, in characters. */
  maxHeaderLength: number
  /** The headers that keep a response out of this CDN. */
  notStored: Record<string, string>
}

/**
 * Writes a tag so that every CDN takes it, in the header as in the purge: what is no visible ASCII, and the comma, is
 * percent-encoded as UTF-8, and what is then too long becomes `sha256-` and the digest in hex. Plain names such as
 * `post:42` stay as they are, and so does a `%`: two tags written alike are purged together, which is too much but
 * never too little.
 *
 * @throws TypeError when the tag is empty or no text.
 * @example encodeTag('news, Zürich', 1024) // 'news%2C%20Z%C3%BCrich'
 */
export function encodeTag(tag: string, maxLength: number): string {
  if (typeof tag !== 'string' || tag === '') {
    throw new TypeError(`tags: ${JSON.stringify(tag)} is no tag; write a name, such as 'document'`)
  }
  const encoded = tag.replace(/[^\x21-\x2b\x2d-\x7e]+/g, percentEncode)
  return encoded.length > maxLength ? `sha256-${bytesToHex(sha256(new TextEncoder().encode(encoded)))}` : encoded
}

/** The headers that say the tags of a response, or those that keep it out of the CDN when they are too many. */
export function tagHeaders(format: TagFormat, tags: readonly string[]): Record<string, string> {
  const encoded = new Set(tags.map((tag) => encodeTag(tag, format.maxTagLength)))
  if (encoded.size === 0) return {}
  const value = [...encoded].join(format.separator)
  if (encoded.size > format.maxTags || value.length > format.maxHeaderLength) return { ...format.notStored }
  return { [format.header]: value }
}
