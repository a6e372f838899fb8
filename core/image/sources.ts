import { optionError } from '../option-error.js'
import { normalizePathEscapes } from './source-escapes.js'

/**
 * Which sources may be resized: prefixes of paths (`'/media/'`) and of URLs (`'https://cdn.example.com/photos/'`), or
 * `'any'`. Sources may have a query only under a prefix that ends in `?` (`'https://cdn.example.com/?'`), or with `'any'`:
 * whoever may choose the query can name one picture any number of times.
 */
export type Sources = readonly string[] | 'any'

interface ParsedSource {
  /** Scheme and host, in lower case and without a default port; empty for a path on the site itself. */
  origin: string
  /** Normalized, percent-encoded path. */
  path: string
}

// No fragments: they are not part of a request, and would give one image any number of names.
const absolute = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)((?:\/[^?#]*)?)(?:\?[^#]*)?$/i
const rooted = /^()()(\/(?!\/)[^?#]*)(?:\?[^#]*)?$/
// ASCII host and port only: URL parsers disagree about userinfo, escapes and non-ASCII letters.
const plainAuthority = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i
const siteOrigin = 'http://site.invalid'

/**
 * A path or URL that URL parsers leave as it is, as they do with most: to parse it again would cost as much as to sign it. Its
 * host is no number and not internationalized.
 */
export const canonicalName =
  /^(?:https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*)?(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/

/**
 * Creates a function that checks whether a source is under one of the prefixes. It compares origins and normalized paths,
 * segment by segment, and ignores queries. A source that another URL parser could read differently (userinfo, backslashes, dot segments,
 * encoded separators, at any depth of encoding) matches nothing.
 *
 * @throws TypeError for a prefix that could match nothing, and for an empty list.
 * @example createSourceMatcher(['/media/'])('/media/cat.jpg') // true
 */
export function createSourceMatcher(sources: Sources): (source: string) => boolean {
  if (sources === 'any') return () => true
  if (!Array.isArray(sources) || sources.length === 0) {
    throw optionError('sources', "a list of prefixes such as ['/media/'], or 'any'", sources)
  }
  const prefixes = sources.map(parsePrefix)
  return (source) => {
    const parsed = parseSource(source)
    return (
      parsed !== undefined &&
      prefixes.some(({ origin, path }) => origin === parsed.origin && `${parsed.path}/`.startsWith(path))
    )
  }
}

function parsePrefix(prefix: string): ParsedSource {
  const bare = prefix.replace(/\?$/, '')
  const parsed = /[?#]/.test(bare) ? undefined : parseSource(bare)
  if (!parsed) {
    throw optionError(
      'sources',
      "a path such as '/media/' or a URL such as 'https://cdn.example.com/photos/'",
      prefix,
      'this prefix could match nothing',
    )
  }
  return { ...parsed, path: parsed.path.endsWith('/') ? parsed.path : `${parsed.path}/` }
}

function parseSource(source: string): ParsedSource | undefined {
  const [, scheme, authority = '', path = ''] = rooted.exec(source) ?? absolute.exec(source) ?? []
  if (scheme === undefined || !path.split('/').every(isSafeSegment)) return undefined
  // Some URL parsers drop white space at the ends, others keep it.
  if (source.trim() !== source) return undefined
  if (canonicalName.test(source)) return { origin: scheme && `${scheme}//${authority}`, path }
  if (!scheme) return { origin: '', path: normalizePathEscapes(new URL(siteOrigin + source).pathname, '') }
  // imgproxy's local:// has no host; a web URL must have one.
  if (!plainAuthority.test(authority) && (authority || /^https?:$/i.test(scheme))) return undefined
  const url = URL.canParse(source) ? new URL(source) : undefined
  if (!url) return undefined
  return {
    origin: `${url.protocol}//${url.host}`,
    path: normalizePathEscapes(url.pathname, url.protocol) || '/',
  }
}

function isSafeSegment(segment: string): boolean {
  const decoded = decodeFully(segment)
  // Some parsers and file systems drop white space around the dots, and Java's drop parameters (`..;x`).
  return decoded !== undefined && !/[/\\\p{Cc}]|^\s*\.{1,2}\s*(?:;|$)/u.test(decoded)
}

/**
 * Undoes percent-encoding, however often it was applied, in one pass: whoever writes a source chooses the number of levels.
 * Returns `undefined` when it is malformed.
 */
function decodeFully(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    const decodedOnce = decodeURIComponent(segment)
    return decodedOnce.includes('%') ? decodeEscapes(decodedOnce) : decodedOnce
  } catch {
    return undefined
  }
}

/** Decodes escapes, and those that this results in. A lone % is an ordinary character: '100%25.jpg' is a valid name. */
function decodeEscapes(text: string): string {
  // From the end, so that what follows a % is decoded already. Last character first.
  const decoded: string[] = []
  for (let index = text.length - 1; index >= 0; index--) {
    decoded.push(text.charAt(index))
    while (decoded.at(-1) === '%') {
      const hex = `${decoded.at(-2)}${decoded.at(-3)}`
      if (!/^[0-9a-f]{2}$/i.test(hex)) break
      decoded.splice(-3, 3, String.fromCharCode(Number.parseInt(hex, 16)))
    }
  }
  return decoded.reverse().join('')
}
