import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { maxSeconds } from '../http/cache-control.js'
import type { StoredVary } from './entry.js'

/**
 * What stands under a URL after a response that varies: it only ever names more fields, so that a handler that says
 * `Vary` now and then does not have its pages mixed up. The same object comes back when nothing changes.
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

/** Gives the key of the response that a request selects. */
export type VaryKey = (key: string, vary: StoredVary, headers: Pick<Headers, 'get'>) => string

const longestPart = 256

/**
 * Creates the function that makes keys out of the selecting fields (RFC 9111, section 4.1). Spaces and letter case of
 * lists do not matter, nor in which order content codings are named; where `Accept` only picks between image formats,
 * all that matters is which of `imageFormats` it names.
 *
 * @param imageFormats Media types that are sent to those only who name them: `['image/avif', 'image/webp']`.
 */
export function createVaryKey(imageFormats: readonly string[]): VaryKey {
  return (key, { generation, names, imageAccept }, headers) => {
    const parts = names.map((name) => {
      const value = headers.get(name)
      if (name === 'accept' && imageAccept) return namedFormats(value, imageFormats)
      if (value === null) return ''
      return `=${normaliseField(name, value)}`
    })
    const selected = JSON.stringify(parts)
    // A cookie of 8 KB is not to be a key of 8 KB.
    return `${key}#${generation}#${selected.length > longestPart ? digest(selected) : selected}`
  }
}

/**
 * The image formats that an `Accept` header names. Wildcards imply none: every browser sends them.
 *
 * @example namedFormats('image/avif,image/webp;q=0,*\/*', ['image/avif', 'image/webp']) // 'image/avif'
 */
export function namedFormats(accept: string | null, imageFormats: readonly string[]): string {
  if (!accept) return ''
  const named = new Set<string>()
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((piece) => piece.trim())
    if (!parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))) named.add(type)
  }
  return imageFormats.filter((format) => named.has(format)).join(',')
}

const lists = new Set(['accept', 'accept-charset', 'accept-language'])

function normaliseField(name: string, value: string): string {
  // Not by one expression: a visitor's thousand spaces are not to cost a million steps.
  const members = value.split(',').map((member) => member.trim())
  const list = members.filter(Boolean).join(',')
  if (name === 'accept-encoding') return normaliseCodings(list.toLowerCase())
  return lists.has(name) ? list.toLowerCase().replaceAll(' ', '').replaceAll('\t', '') : list
}

/** The codings that are welcome, sorted: whichever the handler chose for one of them suits all who name the same. */
function normaliseCodings(list: string): string {
  if (/\*|identity/.test(list)) return list
  const welcome = list.split(',').flatMap((coding) => {
    const [name = '', quality = ''] = coding.split(';').map((piece) => piece.trim())
    return !name || /^q\s*=\s*0(?:\.0*)?$/.test(quality) ? [] : [name]
  })
  return [...new Set(welcome)].sort().join(',')
}

function digest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}
