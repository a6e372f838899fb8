import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { isZeroQuality, namedMediaTypes } from '../../http/accept.js'
import { maxSeconds } from '../../http/cache-control.js'
import type { StoredVary } from '../store/entry.js'

/**
 * Returns the record of a URL after a response that varies. It only ever gains fields, so that the pages of a handler that
 * sends `Vary` only sometimes are not mixed up. Returns the same object when nothing changes.
 */
export function mergeVary(
  known: StoredVary | undefined,
  names: readonly string[],
  isImage: boolean,
): StoredVary | undefined {
  if (!known && names.length === 0) return undefined
  const merged = [...new Set([...(known?.names ?? []), ...names])].sort()
  const imageAccept = names.includes('accept') ? isImage && (known?.imageAccept ?? true) : (known?.imageAccept ?? true)
  if (known && merged.length === known.names.length && imageAccept === known.imageAccept) return known
  return { kind: 'vary', generation: crypto.randomUUID(), names: merged, imageAccept, ttl: maxSeconds }
}

/** Returns the key of the response that a request selects. */
export type VaryKey = (key: string, vary: StoredVary, headers: Pick<Headers, 'get'>) => string

const maxSelectionLength = 256

/**
 * Creates the function that builds keys from the selecting fields (RFC 9111, section 4.1). Spaces and letter case of lists
 * are ignored, and so is the order of content codings; where `Accept` selects between image formats only, the key holds
 * which of `imageFormats` it names.
 *
 * @param imageFormats Media types that are sent only to clients that name them: `['image/avif', 'image/webp']`.
 */
export function createVaryKey(imageFormats: readonly string[]): VaryKey {
  return (key, { generation, names, imageAccept }, headers) => {
    const selection = names.map((name) => {
      const value = headers.get(name)
      if (name === 'accept' && imageAccept) return namedFormats(value, imageFormats)
      if (value === null) return ''
      return `=${normalizeField(name, value)}`
    })
    const text = JSON.stringify(selection)
    // Hashed, so that a large Cookie does not become a large key.
    return `${key}#${generation}#${text.length > maxSelectionLength ? digest(text) : text}`
  }
}

/** The image formats that an `Accept` header names. Wildcards imply none: every browser sends them. */
export function namedFormats(accept: string | null, imageFormats: readonly string[]): string {
  const named = namedMediaTypes(accept)
  return imageFormats.filter((format) => named.has(format)).join(',')
}

const lists = new Set(['accept', 'accept-charset', 'accept-language'])

function normalizeField(name: string, value: string): string {
  // Not by one regular expression: its time could be quadratic in the number of spaces.
  const members = value.split(',').map((member) => member.trim())
  const list = members.filter(Boolean).join(',')
  if (name === 'accept-encoding') return normalizeCodings(list.toLowerCase())
  return lists.has(name) ? list.toLowerCase().replaceAll(' ', '').replaceAll('\t', '') : list
}

/** The acceptable codings, sorted: whichever the handler chose suits every client that accepts the same ones. */
function normalizeCodings(list: string): string {
  if (/\*|identity/.test(list)) return list
  const acceptable = list.split(',').flatMap((coding) => {
    const [name = '', quality = ''] = coding.split(';').map((piece) => piece.trim())
    return !name || isZeroQuality(quality) ? [] : [name]
  })
  return [...new Set(acceptable)].sort().join(',')
}

function digest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}
