import type { Cdn } from './cdn.js'

/**
 * Wraps a handler so that each CDN reads the tags of its responses: from their `Cache-Tag` header, separated by commas,
 * which is then left out unless a CDN reads it. The wrapper belongs outside of the response cache, so that what the
 * cache answers is tagged, too.
 *
 * @example app.use(honoMiddleware(tagResponse(pages.wrap(renderPage), fastly({ serviceId, token }))))
 */
export function tagResponse<Answer extends Response | undefined>(
  handler: (request: Request) => Promise<Answer>,
  ...cdns: readonly Cdn[]
): (request: Request) => Promise<Answer> {
  return async (request) => {
    const response = await handler(request)
    const tags = response && parseTags(response.headers.get('Cache-Tag'))
    if (!response || !tags || tags.length === 0) return response
    const added = cdns.flatMap((cdn) => Object.entries(cdn.headers(tags)))
    try {
      setHeaders(response.headers, added)
      return response
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // The headers of a response that came from `fetch` cannot be changed.
      const { status, statusText } = response
      const headers = new Headers(response.headers)
      setHeaders(headers, added)
      return new Response(response.body, { status, statusText, headers }) as Answer
    }
  }
}

function parseTags(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

function setHeaders(headers: Headers, added: readonly (readonly [string, string])[]): void {
  headers.delete('Cache-Tag')
  for (const [name, value] of added) headers.set(name, value)
}
