import { isEncodable } from './source-encoding.js'
import { normalizePathEscapes, normalizeQueryEscapes } from './source-escapes.js'
import { canonicalName, createSourceMatcher, type Sources } from './sources.js'

/** The canonical name of a source, or why it has none. */
export type SourceName =
  | { name: string; problem?: never }
  /** It is under no prefix, has a query under a prefix without one, or no URL parser can read it. */
  | { name?: never; problem: 'prefix' | 'query' | 'syntax' }

const siteUrl = 'http://site.invalid/'
/**
 * Creates a function that returns the canonical name of a source under one of the prefixes: the one name that the proxy
 * accepts and the loader writes. Otherwise each spelling of a picture would be another signed request and another entry of
 * every cache, and there is no end of spellings.
 *
 * @throws TypeError for a prefix that could match nothing.
 * @example createSourceNames(['/media/'])('/media//%31 ä.jpg/') // { name: '/media/1%20%C3%A4.jpg' }
 */
export function createSourceNames(sources: Sources): (source: string) => SourceName {
  const isAllowed = createSourceMatcher(sources)
  const withQuery = sources === 'any' ? sources : sources.filter((prefix) => prefix.endsWith('?'))
  const mayHaveQuery = withQuery.length > 0 ? createSourceMatcher(withQuery) : () => false
  return (source) => {
    const name = canonicalSource(source)
    if (name === undefined) return { problem: sources === 'any' ? 'syntax' : 'prefix' }
    if (!isAllowed(name)) return { problem: 'prefix' }
    if (name.includes('?') && !mayHaveQuery(name)) return { problem: 'query' }
    return { name }
  }
}

/**
 * Returns the canonical form of a path or URL, as the URL standard reads it (https://url.spec.whatwg.org): without dot
 * segments, scheme and host in lower case, no default port. Then its path and query are normalized (RFC 3986, section
 * 6.2.2): escapes in upper case, and none where it is not needed. Empty segments and a slash at the end are dropped, since
 * most servers ignore them. In paths of the site and after schemes other than http and https, reserved characters are not
 * escaped either: `a%2Bb.jpg` and `a+b.jpg` are one file. On other servers they may differ.
 *
 * Returns `undefined` for what has a fragment, user or password or a malformed escape, and for what no URL parser
 * reads.
 */
export function canonicalSource(source: string): string | undefined {
  if (canonicalName.test(source)) return source
  if (source.includes('#')) return undefined
  const isAbsolute = URL.canParse(source)
  const base = isAbsolute ? undefined : siteUrl
  if (base && !URL.canParse(source, base)) return undefined
  const { protocol, host, username, password, pathname, search } = new URL(source, base)
  // To decode `%7%62` would make the escape `%7b`.
  if (/%(?![0-9a-f]{2})/i.test(pathname + search)) return undefined
  const segments = pathname.split('/').filter(Boolean)
  const path = normalizePathEscapes(segments.join('/'), isAbsolute ? protocol : '')
  const query = normalizeQueryEscapes(search)
  if (isAbsolute) {
    const hasAuthority = source.slice(protocol.length).replaceAll('\\', '/').startsWith('//')
    return hasAuthority && !username && !password ? `${protocol}//${host}/${path}${query}` : undefined
  }
  // A URL without a scheme leads to another host.
  if (`${protocol}//${host}/` !== siteUrl) return undefined
  const isRooted = /^ *[/\\]/.test(source)
  return isRooted || path ? `${isRooted ? '/' : ''}${path}${query}` : undefined
}

/** What the image service is asked for, or why no URL of its scheme can name it. */
export type ServiceSource = { source: string; reason?: never } | { source?: never; reason: string }

// Neither http(s) nor a path; a path is a URL for the service, too.
const literalSource = /^((?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?]*)([^?]*)(.*)$/s

/**
 * Returns a name as the image service reads it: as it is on http and https; with its path decoded once after other
 * schemes, since imgproxy takes what follows `local://`, `s3://`, `gs://`, `abs://` and `swift://` literally
 * (fetcher/transport/url.go). There a `?` begins a query, so that a name with one cannot be told. Decoding adds no
 * separator, so what was matched against `sources` is what is signed.
 */
export function toServiceSource(name: string): ServiceSource {
  const [, base = '', path = '', query = ''] = literalSource.exec(name) ?? []
  if (!path.includes('%')) return { source: name }
  const scheme = `${base.slice(0, base.indexOf(':'))}://`
  let literal: string
  try {
    literal = decodeURIComponent(path)
  } catch {
    return { reason: `${scheme} cannot name what is not UTF-8` }
  }
  if (literal.includes('?')) return { reason: `${scheme} cannot name a file with '?', which begins a query there` }
  if (literal.split('/').length !== path.split('/').length) {
    return { reason: `${scheme} cannot name a file with '/' in it` }
  }
  const source = base + literal + query
  return isEncodable(source) ? { source } : { reason: `${scheme} cannot name a file with control characters` }
}
