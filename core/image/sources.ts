import { optionError } from '../option-error.js'
import { decodePercent } from './url.js'

/**
 * Which sources may be resized: prefixes of paths (`'/media/'`) and of URLs (`'https://cdn.example.com/photos/'`), or
 * `'any'`. A wildcard stands for one or more labels of a host (`'https://*.cdn.example.com/'`). Sources may have a
 * query only under a prefix that ends in `?` (`'https://cdn.example.com/?'`) or with `'any'`, because queries can give
 * one image any number of names.
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
const wildcard = /^https?:\/\/\*\.([^/?#:]*)/i
// Hosts that no wildcard may precede: a single label, an address, or a suffix such as `co.uk`, below which anyone can
// register names.
const registry = /^(?:[^.]*|.*\.\d+|(?:ac|co|com|edu|gov|net|org)\.[a-z]{2})$/i

/**
 * Matches a path or URL that URL parsers leave unchanged, which is the usual case. It is not parsed, because that would
 * cost as much as signing it. The host is neither a number nor internationalized.
 */
export const canonicalName =
  /^(?:https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*)?(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/

/**
 * Creates a function that checks whether a source is under one of the prefixes. It compares origins and normalized
 * paths, segment by segment, and ignores queries. A source that another URL parser could read differently (userinfo,
 * backslashes, or dot segments, however often they are encoded) matches nothing. Encoded separators are allowed only in
 * web URLs, where they may be part of a name. Even when decoded, they must not lead out of the prefix.
 *
 * @throws TypeError for a prefix that cannot match anything, and for an empty list.
 * @example createSourceMatcher(['/media/'])('/media/cat.jpg') // true
 */
export function createSourceMatcher(sources: Sources): (source: string) => boolean {
  if (sources === 'any') return () => true
  if (!Array.isArray(sources) || sources.length === 0) {
    throw optionError('sources', "a list of prefixes such as ['/media/'], or 'any'", sources)
  }
  const prefixes = sources.map(createPrefixMatcher)
  return (source) => {
    const parsed = parseSource(source)
    return parsed !== undefined && prefixes.some((isUnder) => isUnder(parsed))
  }
}

function createPrefixMatcher(prefix: string): (source: ParsedSource) => boolean {
  const [, host] = wildcard.exec(prefix) ?? []
  const bare = prefix.replace(host === undefined ? '' : '*.', '').replace(/\?$/, '')
  const parsed = /[?#]/.test(bare) || registry.test(host ?? 'a.b.c') ? undefined : parseSource(bare)
  if (!parsed) {
    const expected = "a path such as '/media/' or a URL such as 'https://cdn.example.com/photos/'"
    const matched = host === undefined ? 'nothing' : 'hosts of strangers'
    throw optionError('sources', expected, prefix, `this prefix could match ${matched}`)
  }
  const folder = parsed.path.replace(/\/?$/, '/')
  const hosts = parsed.origin.replaceAll('.', '\\.').replace('//', '//(?:[^.]+\\.)+')
  const pattern = host === undefined ? undefined : new RegExp(`^${hosts}$`)
  return ({ origin, path }) =>
    (pattern ? pattern.test(origin) : origin === parsed.origin) && `${path}/`.startsWith(folder)
}

function parseSource(source: string): ParsedSource | undefined {
  const [, scheme, authority = '', path = ''] = rooted.exec(source) ?? absolute.exec(source) ?? []
  if (scheme === undefined || !path.split('/').every(/^https?:/i.test(scheme) ? isSafeWebSegment : isSafeSegment))
    return undefined
  // Some URL parsers drop white space at the ends, others keep it.
  if (source.trim() !== source) return undefined
  if (canonicalName.test(source)) return { origin: scheme && `${scheme}//${authority}`, path }
  if (!scheme) return { origin: '', path: normalizeEscapes(new URL(siteOrigin + source).pathname, '') }
  // imgproxy's local:// has no host; a web URL must have one.
  if (!plainAuthority.test(authority) && (authority || /^https?:$/i.test(scheme))) return undefined
  const url = URL.canParse(source) ? new URL(source) : undefined
  if (!url) return undefined
  return { origin: `${url.protocol}//${url.host}`, path: normalizeEscapes(url.pathname, url.protocol) || '/' }
}

function isSafeSegment(segment: string): boolean {
  const decoded = decodeFully(segment)
  return decoded !== undefined && !/[/\\]/.test(decoded) && isSafeName(decoded)
}

function isSafeWebSegment(segment: string): boolean {
  return decodeFully(segment)?.split(/[/\\]/).every(isSafeName) ?? false
}

function isSafeName(decoded: string): boolean {
  // Some parsers and file systems drop white space around the dots, and Java's parsers drop parameters (`..;x`).
  return !/\p{Cc}|^\s*\.{1,2}\s*(?:;|$)/u.test(decoded)
}

/**
 * Undoes percent-encoding, up to 20 levels. Returns `undefined` for a malformed escape, and for more levels, because no
 * real source has them and they take time to decode.
 */
function decodeFully(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  let decoded = decodePercent(segment)
  for (let levels = 1; levels < 20; levels++) {
    const before: string | undefined = decoded
    // A lone % is an ordinary character: '100%25.jpg' is a valid name.
    decoded = before?.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (decoded === before) return decoded
  }
  return undefined
}

const unreserved = /[\w.~-]/
// The characters of a path except the slash, which separates segments.
const segmentCharacter = /[\w.~!$&'()*+,;=:@-]/
// Matches a path and a query (RFC 3986, sections 3.3 and 3.4) without escapes.
const plainText = /^[\w.~!$&'()*+,;=:@/?-]*$/

/**
 * Normalizes the escapes of a path or query (RFC 3986, section 6.2.2): they are written in upper case, and remain only
 * where they are needed. With http and https, a reserved character differs from its escape; elsewhere, where a path is
 * a file name, both mean the same.
 *
 * @param text As a URL parser returned it, without malformed escapes.
 * @param protocol With its colon; empty for a path on the site itself, `https:` for any query, since servers differ in
 *   how they read it.
 * @example normalizeEscapes('/a%2bb%7e', '') // '/a+b~'
 */
export function normalizeEscapes(text: string, protocol: string): string {
  if (plainText.test(text)) return text // the most common case, at a tenth of the cost
  const decodable = /^https?:$/.test(protocol) ? unreserved : segmentCharacter
  return text.replace(/%([0-9a-f]{2})|[^%]/gi, (match, hex?: string) => {
    if (hex === undefined) return plainText.test(match) ? match : encodeURIComponent(match)
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return decodable.test(character) ? character : match.toUpperCase()
  })
}

/** Escapes the characters that no URL may contain (RFC 3986, section 2), and leaves existing escapes as they are. */
export function escapeUnwise(text: string): string {
  return text.replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
}
