import { checkHandler } from '../../core/handler.js'
import { checkFunction } from '../../core/options.js'
import { splitTags } from '../../core/tags.js'
import type { Cdn } from './cdn.js'

/**
 * Wraps a handler so that its responses carry their tags in the header of each CDN. The tags are those of the response's
 * `Cache-Tag` header, which is removed unless a CDN reads it. Wrap the response cache and not the other way round, so
 * that cache hits are tagged, too.
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
    const tags = response && splitTags(response.headers.get('Cache-Tag'))
    if (!response || !tags || tags.length === 0) return response
    const added = cdns.flatMap((cdn) => Object.entries(cdn.headers(tags)))
    try {
      setHeaders(response.headers, added)
      return response
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // The headers of a response of `fetch` are immutable.
      const { status, statusText } = response
      const headers = new Headers(response.headers)
      setHeaders(headers, added)
      return new Response(response.body, { status, statusText, headers }) as Result
    }
  }
}

function setHeaders(headers: Headers, added: readonly (readonly [string, string])[]): void {
  headers.delete('Cache-Tag')
  for (const [name, value] of added) headers.set(name, value)
}
