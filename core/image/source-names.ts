import { maxTagLength } from '../tags.js'
import { canonicalName, createSourceMatcher, escapeUnwise, normalizeEscapes, type Sources } from './sources.js'

/**
 * The canonical name of a source, or the reason for its rejection: no prefix matches, the prefix allows no query, or it
 * is not a URL.
 */
export type SourceName = { name: string; problem?: never } | { name?: never; problem: 'prefix' | 'query' | 'syntax' }

const siteUrl = 'http://site.invalid/'

/**
 * Creates a function that returns the canonical name of a source under one of the prefixes. The loader writes only this name,
 * and the proxy accepts no other. Any URL can be spelled in countless ways, and each spelling would cost another request to
 * the image service and another entry in every cache.
 *
 * @throws TypeError for a prefix that cannot match anything.
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
 * Returns the canonical form of a path or URL, parsed according to the URL standard (https://url.spec.whatwg.org):
 * scheme and host are in lower case, and dot segments and the default port are removed. The rest of a web URL stays as
 * it is spelled, because its server may tell `//` from `/` and `%2B` from `+`. In other sources, escapes are normalized
 * (RFC 3986, section 6.2.2), and empty segments and trailing slashes are removed.
 *
 * Returns `undefined` if the URL has a fragment, a user, a password or a malformed escape, or if the text is not a URL.
 */
function canonicalSource(source: string): string | undefined {
  if (canonicalName.test(source)) return source
  if (source.includes('#')) return undefined
  const isAbsolute = URL.canParse(source)
  const base = isAbsolute ? undefined : siteUrl
  if (base && !URL.canParse(source, base)) return undefined
  const { protocol, host, username, password, pathname, search } = new URL(source, base)
  // A malformed escape could become a valid one when decoded: `%7%62` becomes `%7b`.
  if (/%(?![0-9a-f]{2})/i.test(pathname + search)) return undefined
  const isWeb = isAbsolute && /^https?:$/.test(protocol)
  const path = isWeb ? escapeUnwise(pathname.slice(1)) : normalizePath(pathname, isAbsolute ? protocol : '')
  const query = isWeb ? escapeUnwise(search) : normalizeEscapes(search, 'https:')
  if (isAbsolute) {
    const hasAuthority = source.slice(protocol.length).replaceAll('\\', '/').startsWith('//')
    return hasAuthority && !username && !password ? `${protocol}//${host}/${path}${query}` : undefined
  }
  // A scheme-relative URL (`//example.com/…`) points to another host.
  if (`${protocol}//${host}/` !== siteUrl) return undefined
  const isRooted = /^ *[/\\]/.test(source)
  return isRooted || path ? `${isRooted ? '/' : ''}${path}${query}` : undefined
}

/** Removes empty segments and trailing slashes, and normalizes the escapes. */
function normalizePath(pathname: string, protocol: string): string {
  return normalizeEscapes(pathname.split('/').filter(Boolean).join('/'), protocol)
}

/**
 * Returns the cache tag for all images of a source. It is the normalized name without the query, so that a single purge
 * covers every version, and every spelling of a web URL. Returns `undefined` if the name is too long for a tag, since a
 * truncated tag could not be purged.
 *
 * @example sourceTag('/media/cat.jpg?v=2') // '/media/cat.jpg'
 */
export function sourceTag(name: string): string | undefined {
  const [path = ''] = name.split('?', 1)
  const [, origin, pathname = ''] = /^(https?:\/\/[^/]*\/)(.*)$/s.exec(path) ?? []
  const tag = (origin === undefined ? path : origin + normalizePath(pathname, 'https:')).replaceAll(',', '%2C')
  return tag.length <= maxTagLength ? tag : undefined
}
