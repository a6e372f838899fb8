import { checkResponse } from '../handler.js'
import type { ForwardReason } from '../http/cache-status.js'
import { withHeaders } from '../http/headers.js'
import { encodeTag, parseTags, pathTag } from '../tags.js'
import type { CacheContext, Page } from './context.js'
import { type HandlerRequestOptions, toHandlerRequest } from './narrow.js'

/**
 * Creates the function that calls the handler for a page. It adds the tags of the option `tags` and the tag of the path
 * to the response's `Cache-Tag`, even if the response is not stored here, because a CDN may store it and must be able
 * to purge it. It returns the response and its encoded tags, but no tags for a 304 that keeps the stored tags.
 */
export function createCall({ settings, fieldWarning }: CacheContext) {
  return async (page: Page, options: HandlerRequestOptions) => {
    const request = toHandlerRequest(page, options)
    fieldWarning?.watch(request)
    const response = checkResponse(await page.handler(request))
    fieldWarning?.check(page.request, page.pairs)
    if (!response) return undefined
    const storedTags = response.status === 304 ? (options.validate?.tags ?? []) : []
    const optionTags = settings.tagsOf(request, response).map(encodeTag).filter(Boolean)
    const addedTags = [...optionTags, ...pathTagsOf(page), ...(settings.content?.tags() ?? [])]
    const tags = [...new Set([...storedTags, ...parseTags(response.headers.get('cache-tag'), addedTags)])]
    return { response: withHeaders(response, (headers) => headers.set('cache-tag', tags.join())), tags }
  }
}

/**
 * Returns the tag of a page's path and, behind a proxy that states a prefix, the tag of the path that visitors know.
 */
function pathTagsOf({ url, pairs }: Page): string[] {
  const { pathname } = new URL(url)
  const prefix = pairs.find(([name]) => name === 'x-forwarded-prefix')?.[1]
  const paths = prefix === undefined ? [pathname] : [pathname, prefix.replace(/(?<!\/)\/+$/, '') + pathname]
  return paths.map(pathTag)
}

/** Returns why the handler is called (RFC 9211, section 2.2). */
export function forwardReason({ cached, purge, pairs, directives }: Page): ForwardReason {
  if (!cached) return pairs.length === 0 ? 'uri-miss' : 'miss'
  const { noCache, maxAge, minFresh } = directives
  return purge === 'none' && (noCache || maxAge !== undefined || minFresh !== undefined) ? 'request' : 'stale'
}
