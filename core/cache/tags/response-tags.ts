import { checkResponse, explainError, type RouteHandler } from '../../handler.js'
import { withHeaders } from '../../http/headers.js'
import { addTags } from '../../tag-names.js'

/** Returns the tags of a response, besides those of its `Cache-Tag`. */
export type ResponseTags = (
  request: Pick<Request, 'url' | 'headers'>,
  response: Pick<Response, 'status' | 'headers'>,
) => readonly string[]

/**
 * Wraps a handler so that the tags of the option `tags` join the `Cache-Tag` of its responses: also of those that are not
 * stored here, since a CDN may store them and must find them when they are purged.
 */
export function addResponseTags(handler: RouteHandler, tagsOf: ResponseTags): RouteHandler {
  return async (request) => {
    const response = checkResponse(await callHandler(handler, request))
    if (!response) return undefined
    const tags = tagsOf(request, response)
    const field = response.headers.get('cache-tag')
    // A 304 without tags keeps the stored ones; any tag would replace them all.
    if (tags.length === 0 || (response.status === 304 && field === null)) return response
    return withHeaders(response, (headers) => headers.set('cache-tag', addTags(field, tags)))
  }
}

async function callHandler(handler: RouteHandler, request: Request): Promise<Response | undefined> {
  try {
    return await handler(request)
  } catch (error) {
    throw explainError(error)
  }
}
