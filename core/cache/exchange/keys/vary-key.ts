import { sha256Hex } from '../../../crypto.js'
import { asksForImages, mediaTypeWeights } from '../../../http/accept.js'
import { normalizeField } from '../../../http/normalize-field.js'
import type { StoredVary } from '../../store/entry.js'

/**
 * Returns the record of a URL after a response that varies. It only ever gains fields, so that the pages of a handler that
 * sends `Vary` only sometimes are not mixed up. Returns the same object when nothing changes; a new one has no `ttl` yet.
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
  return { kind: 'vary', generation: crypto.randomUUID(), names: merged, imageAccept, ttl: 0 }
}

/** Returns the key of the response that a request selects. */
export type VaryKey = (key: string, vary: StoredVary, headers: Pick<Headers, 'get'>) => string

const maxSelectionLength = 256
// Browsers send 150 characters at most. Reading what a client made up takes milliseconds.
const maxAcceptLength = 1_000

/**
 * Creates the function that builds keys from the selecting fields (RFC 9111, section 4.1), normalized by
 * {@link normalizeField}. Only where the site says which image formats it sends, and only images have been sent, the key holds those
 * that `Accept` names: a handler may look at its weights, its order and its wildcards, too.
 *
 * @param imageFormats The image types that the handler may send besides those that every browser knows, and it sends nothing
 *   else but HTML to those who name it. It must not weigh them. Default: `Accept` is compared whole.
 */
export function createVaryKey(imageFormats?: readonly string[]): VaryKey {
  return (key, { generation, names, imageAccept }, headers) => {
    const selection = names.map((name) => {
      const value = headers.get(name)
      if (name === 'accept' && imageFormats && imageAccept && (value?.length ?? 0) <= maxAcceptLength) {
        const types = asksForImages(value) ? imageFormats : [...imageFormats, 'text/html']
        if (isPlain(value, types)) return `~${namedFormats(value, types)}`
      }
      if (value === null) return ''
      return `=${normalizeField(name, value)}`
    })
    const text = JSON.stringify(selection)
    // Hashed, so that a large Cookie does not become a large key.
    return `${key}#${generation}#${text.length > maxSelectionLength ? sha256Hex(text) : text}`
  }
}

const plainMember = /^[ \t]*((?:[a-z]+|\*)\/(?:[a-z0-9.+-]+|\*))(?:;q=[\d.]+)?[ \t]*$/

/**
 * Whether the text of an `Accept` header has the names of types nowhere but where it names them. Many handlers look for the words,
 * such as `image/avif`, which may as well be in a parameter or a longer name.
 */
function isPlain(accept: string | null, types: readonly string[] = []): boolean {
  if (!accept) return true
  return accept.split(',').every((member) => {
    const [, name] = plainMember.exec(member) ?? []
    if (name === undefined || /.(?:image|video)\//.test(name)) return false
    return types.every((type) => type === name || !name.includes(type))
  })
}

/**
 * Returns the image types that an `Accept` header names: all of them, since the handler may send any, unless the site says
 * which it sends. Wildcards imply none: every browser sends them. Types that it refuses are marked with `!`; and where
 * any type counts, so does a weight below 1.
 *
 * @param types The types that count. Default: any of images, and `video/*`, for which there may be a film in place of the image.
 *
 * @example namedFormats('image/webp,image/avif,image/jxl;q=0,*\/*') // '!image/jxl,image/avif,image/webp'
 */
export function namedFormats(accept: string | null, types?: readonly string[]): string {
  const counts = (type: string) => (types ? types.includes(type) : /^(?:image\/[^*]|video\/)/.test(type))
  const named = [...mediaTypeWeights(accept)].filter(([type]) => counts(type))
  const described = named.map(([type, weight]) =>
    weight === 0 ? `!${type}` : weight < 1 && !types ? `${type};q=${weight}` : type,
  )
  return described.sort().join(',')
}
