import type { RouteHandler } from '../handler.js'
import { parseCacheControl } from '../http/cache-control.js'
import type { ForwardReason } from '../http/cache-status.js'
import { withHeaders } from '../http/headers.js'
import { pathTag } from '../tag-names.js'
import type { CacheContext } from './context.js'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
// For shared caches, which are to store nothing of it.
const sharedDirectives = new Set(['public', 's-maxage', 'proxy-revalidate', 'stale-while-revalidate', 'stale-if-error'])
const sharedFields = /^(?:.*cdn-cache-control|surrogate-control|surrogate-key|cache-tag|.*-cache-tag)$/

/** Creates the function that passes the visitor's own request to the handler whole, and its answer back as `private`. */
export function createPass(context: CacheContext) {
  const { store, tagIndex, renders, narrow, formatStatus } = context

  /**
   * Purges what an unsafe method may have changed (RFC 9111, section 4.4), by its path. What is not known to be stored is not, so that
   * requests for made-up URLs and for an API purge nothing.
   */
  const invalidate = async (request: Request) => {
    const { url, key } = narrow(request)
    if (!renders.knowsUrl(url) && !(await store.get(key))) return
    await tagIndex.purge([pathTag(new URL(url).pathname)], 'hard')
    await store.delete(key)
  }

  return async (request: Request, handler: RouteHandler, forward: ForwardReason, detail?: string) => {
    const response = await handler(request)
    if (!response) return undefined
    const isUnsafe = !safeMethods.has(request.method)
    if (isUnsafe && response.status >= 200 && response.status < 400) await invalidate(request)
    const cacheStatus = formatStatus({ forward, status: response.status, ...(detail !== undefined && { detail }) })
    return withHeaders(response, (headers) => {
      headers.append('cache-status', cacheStatus)
      if (isUnsafe || detail !== undefined) makePrivate(headers)
    })
  }
}

/** Keeps a response out of every shared cache, whichever field it obeys (RFC 9213) or is purged by. */
function makePrivate(headers: Headers): void {
  for (const name of [...headers.keys()]) if (sharedFields.test(name)) headers.delete(name)
  const field = headers.get('cache-control')
  const directives = parseCacheControl(field)
  if (directives.has('no-store') || directives.get('private') === true) return
  const kept = [...directives].flatMap(([name, value]) => {
    if (sharedDirectives.has(name) || name === 'private') return []
    return value === true ? [name] : [`${name}=${/^[\w-]+$/.test(value) ? value : JSON.stringify(value)}`]
  })
  headers.set('cache-control', ['private', ...kept].join(', '))
}
