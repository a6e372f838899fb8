import { maxTagLength } from '../tags.js'
import {
  canonicalName,
  createSourceMatcher,
  normalizePathEscapes,
  normalizeQueryEscapes,
  type Sources,
} from './sources.js'
import { isEncodable } from './url.js'

/** The canonical name of a source, or the problem: no prefix, a query under a prefix without one, or no URL at all. */
export type SourceName = { name: string; problem?: never } | { name?: never; problem: 'prefix' | 'query' | 'syntax' }

const siteUrl = 'http://site.invalid/'

/**
 * Creates a function that returns the canonical name of a source under one of the prefixes: the one name that the proxy
 * accepts and the loader writes. There is no end of other spellings, each of which would be another signed request and another
 * entry of every cache.
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
 * segments, scheme and host in lower case, no default port. Escapes are normalized (RFC 3986, section 6.2.2). Empty segments
 * and a slash at the end are dropped, since most servers ignore them.
 *
 * Returns `undefined` for a fragment, user or password, a malformed escape, and text that is no URL.
 */
function canonicalSource(source: string): string | undefined {
  if (canonicalName.test(source)) return source
  if (source.includes('#')) return undefined
  const isAbsolute = URL.canParse(source)
  const base = isAbsolute ? undefined : siteUrl
  if (base && !URL.canParse(source, base)) return undefined
  const { protocol, host, username, password, pathname, search } = new URL(source, base)
  // Decoding `%7%62` would make the escape `%7b`.
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

/** The source for the image service, or why no URL of its scheme can name it. */
export type ServiceSource = { source: string; reason?: never } | { source?: never; reason: string }

// Neither http(s) nor a path; a path is a URL for the service, too.
const literalSource = /^((?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?]*)([^?]*)(.*)$/s

/**
 * Returns a name as the image service reads it. On http and https it stays as it is. After other schemes its path is decoded
 * once: imgproxy takes the text after `local://`, `s3://`, `gs://`, `abs://` and `swift://` literally
 * (fetcher/transport/url.go), up to a `?`, which begins a query. Decoding adds no separator, so the signed source is the one
 * that was matched against `sources`.
 */
export function toServiceSource(name: string): ServiceSource {
  const [, base = '', path = '', query = ''] = literalSource.exec(name) ?? []
  if (!path.includes('%')) return { source: name }
  const fail = (name: string) => ({ reason: `${base.slice(0, base.indexOf(':'))}:// cannot name ${name}` })
  let literal: string
  try {
    literal = decodeURIComponent(path)
  } catch {
    return fail('what is not UTF-8')
  }
  if (literal.includes('?')) return fail("a file with '?', which begins a query there")
  if (literal.split('/').length !== path.split('/').length) return fail("a file with '/' in it")
  const source = base + literal + query
  return isEncodable(source) ? { source } : fail('a file with control characters')
}

/**
 * Returns the tag of each image of a source: its canonical name without the query, so that one purge reaches every version
 * of it. `undefined` when the name is too long for a tag: a tag that was cut off could not be purged.
 *
 * @example sourceTag('/media/cat.jpg?v=2') // '/media/cat.jpg'
 */
export function sourceTag(name: string): string | undefined {
  const [path = ''] = name.split('?', 1)
  const tag = path.replaceAll(',', '%2C')
  return tag.length <= maxTagLength ? tag : undefined
}
