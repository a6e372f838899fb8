import type { RouteHandler } from '../handler.js'
import type { Forward } from '../http/cache-status.js'
import { findHeader } from '../http/headers.js'
import { withCacheStatus } from './handed-over.js'
import type { Lookup } from './lookup.js'
import type { Parts } from './parts.js'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Creates the function that asks the handler and stores nothing. */
export function createPass({ store, flights, describe, urlKey }: Parts) {
  /** RFC 9111, section 4.4: what an unsafe method may have changed is removed. */
  const invalidate = async ({ url }: Pick<Request, 'url'>, { headers }: Response) => {
    const targets = [url, headers.get('location'), headers.get('content-location')]
    for (const target of targets) {
      if (target === null || !URL.canParse(target, url)) continue
      const { href, origin } = new URL(target, url)
      if (origin !== new URL(url).origin) continue
      const key = urlKey(target === url ? url : href)
      flights.invalidate(key)
      await store.delete(key)
    }
  }

  return async (
    request: Request,
    handler: RouteHandler,
    forward: Forward,
    lookup?: Lookup,
    detail?: string,
  ): Promise<Response | undefined> => {
    const response = await handler(request)
    if (!response) return undefined
    const { status, headers } = response
    if (!safeMethods.has(request.method) && status >= 200 && status < 400) await invalidate(request, response)
    if (
      lookup?.prepared &&
      request.method === 'HEAD' &&
      status === 200 &&
      differs(lookup.prepared.entry.headers, headers)
    ) {
      await store.delete(lookup.key)
    }
    return withCacheStatus(response, describe({ forward, status, ...(detail !== undefined && { detail }) }))
  }
}

/** Whether a response to HEAD speaks of another page than the one that is stored (RFC 9111, section 4.3.5). */
function differs(stored: readonly (readonly [string, string])[], headers: Headers): boolean {
  return ['etag', 'last-modified', 'content-length'].some((name) => {
    const [known, said] = [findHeader(stored, name), headers.get(name)]
    return known !== undefined && said !== null && known !== said
  })
}
