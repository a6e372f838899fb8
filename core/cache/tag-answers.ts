import type { RouteHandler } from '../handler.js'
import { addTags } from '../tag-names.js'
import { withHeaders } from './handed-over.js'
import type { ResponseTags } from './options.js'

/**
 * The handler, whose responses say the tags of the option `tags` in their `Cache-Tag`, too: also those that are not
 * stored here, since a CDN may keep them, and has to find them when they are purged.
 */
export function tagAnswers(handler: RouteHandler, tagsOf: ResponseTags): RouteHandler {
  return async (request) => {
    const response = await handler(request)
    if (!response) return undefined
    const tags = tagsOf(request, response)
    const field = response.headers.get('cache-tag')
    // A 304 without tags leaves those that are stored; any would replace them all.
    if (tags.length === 0 || (response.status === 304 && field === null)) return response
    return withHeaders(response, (headers) => headers.set('cache-tag', addTags(field, tags)))
  }
}
