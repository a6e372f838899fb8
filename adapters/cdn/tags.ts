import { checkHandler } from '../../core/handler.js'
import { withHeaders } from '../../core/http/headers.js'
import { checkFunction } from '../../core/options.js'
import { checkTag, encodeTag, shortenTag, splitTags } from '../../core/tags.js'
import type { Cdn, Provider } from './provider.js'

/**
 * Encodes a tag so that every CDN accepts it. The header and the purge use the same encoding: that of the response
 * cache ({@link encodeTag}), but with spaces encoded too, and shortened to the CDN's limit. Plain names such as
 * `post:42` stay as they are, and so does a `%`. Two tags can therefore have the same encoding. They are purged
 * together, so a purge may reach more than needed, but never less.
 *
 * @throws TypeError when the tag is not a non-empty string.
 * @example encodeCdnTag('news, Zürich', 1024) // 'news%2C%20Z%C3%BCrich'
 */
export function encodeCdnTag(tag: string, maxLength: number): string {
  return shortenTag(encodeTag(checkTag(tag)).replaceAll(' ', '%20'), maxLength)
}

/**
 * Returns the group of a tag, which may be encoded: the text up to its first colon, such as `post:`; without a colon,
 * the tag itself. A response with more tags than the CDN accepts has their groups instead, and a purge of a tag
 * includes its group.
 */
export const groupOf = (tag: string): string => /^[^:]*:/.exec(tag)?.[0] ?? tag

/**
 * Returns the headers that tag a response, or headers that keep it out of the CDN if it has too many groups of tags.
 */
export function tagHeaders(provider: Provider, tags: readonly string[]): Record<string, string> {
  const { header, separator, maxTagLength, maxTagsInHeader = Infinity, maxHeaderLength = Infinity } = provider
  const encoded = new Set(tags.map((tag) => encodeCdnTag(tag, maxTagLength)))
  const value = [...encoded].join(separator)
  if (encoded.size <= maxTagsInHeader && value.length <= maxHeaderLength) return value ? { [header]: value } : {}
  if (tags.every((tag) => tag === groupOf(tag))) return { ...provider.noStoreHeaders }
  return tagHeaders(provider, tags.map(groupOf))
}

/**
 * Wraps a handler so that its responses carry their tags in the header of each CDN. The tags come from the response's
 * `Cache-Tag` header, which is removed unless a CDN reads it. Wrap the response cache, not the other way round, so that
 * cache hits are tagged, too.
 *
 * @example app.use(honoMiddleware(tagResponse(cache.wrap(renderPage), fastly({ serviceId, token }))))
 */
export function tagResponse<Result extends Response | undefined>(
  handler: (request: Request) => Promise<Result>,
  ...cdns: readonly Cdn[]
): (request: Request) => Promise<Result> {
  checkHandler(handler)
  for (const cdn of cdns) checkFunction('cdns', cdn?.headers, 'CDNs, such as fastly({ serviceId, token })')
  return async (request) => {
    const response = await handler(request)
    const tags = splitTags(response?.headers.get('Cache-Tag') ?? null)
    if (!response || tags.length === 0) return response
    let tagged: Response = response
    try {
      tagged.headers.delete('Cache-Tag')
    } catch {
      // The headers of a `fetch` response are immutable.
      tagged = withHeaders(response, (headers) => headers.delete('Cache-Tag'))
    }
    for (const cdn of cdns) {
      for (const [name, value] of Object.entries(cdn.headers(tags))) tagged.headers.set(name, value)
    }
    return tagged as Result
  }
}
