import type { Context, MiddlewareHandler } from 'hono'
import { isDevelopment, warnOnce } from '../../core/development.js'
import { checkHandler, handleWhileConnected, type Mountable } from '../../core/handler.js'
import { createCookieWarning } from '../../core/http/cookies.js'
import { withHeaders } from '../../core/http/headers.js'
import { type NodeRequest, type NodeResponse, waitForTurn } from '../node/exchange.js'

const vitePlugin =
  "Vite: expected the plugin of this package, got none; import { sitewright } from 'sitewright/vite' in vite.config, and add sitewright() to its plugins"

// Vite sets `env` in the modules that it loads itself. With `ssr.noExternal: true`, as in HonoX, these are all packages,
// also those in CommonJS, which it cannot run. A linked package is loaded by Vite, too, but not what it imports.
if ((import.meta as { env?: { DEV: boolean } }).env?.DEV && import.meta.url.includes('/node_modules/')) {
  console.warn(vitePlugin)
}

interface ServerEnv {
  incoming?: NodeRequest
  outgoing?: NodeResponse
  vite?: { config: { plugins: readonly { name: string }[] } }
}

/**
 * Creates Hono middleware from a handler. Requests that the handler does not answer go to the next middleware. Errors
 * go to `app.onError`, except those caused by a client that has disconnected.
 *
 * Headers and cookies that other middleware sets before `next()` are added to the response, as in a response of
 * `c.body()`. A header that the handler sets itself wins, except that `Set-Cookie` and `Vary` keep both values. A
 * response cache never stores the headers of other middleware. The handler also gets a body that other middleware has
 * read through `c.req`, and `c.env` as its second argument, for an app behind a cache.
 *
 * @example app.use(honoMiddleware(images.handler), honoMiddleware(revalidate))
 * @example server.use(compress(), honoMiddleware(cache.inFrontOf(app.fetch)))
 */
export function honoMiddleware(handler: Mountable): MiddlewareHandler {
  const handle: (request: Request, env: unknown) => ReturnType<Mountable> = checkHandler(handler)
  const warnsOfCookies = isDevelopment()
  const warnOfVite = warnOnce()
  return async (context, next) => {
    // `@hono/node-server` passes the first two, and `@hono/vite-dev-server` all of them.
    const { incoming, outgoing, vite } = (context.env ?? {}) as ServerEnv
    const isUnstyled = vite && context.req.path.startsWith('/styleguide')
    if (isUnstyled && !vite.config.plugins.some(({ name }) => name === 'sitewright')) warnOfVite(() => vitePlugin)
    if (incoming && outgoing) await waitForTurn(incoming, outgoing)
    const request = await withKeptBody(context.req)
    // An app behind a cache also gets the environment of this one.
    const response = await handleWhileConnected((received) => handle(received, context.env), request)
    return response ? addHeaders(context, response, warnsOfCookies) : await next()
  }
}

/** Returns the request. If other middleware has read its body, the body is taken from where Hono keeps it. */
async function withKeptBody(req: Context['req']): Promise<Request> {
  const { raw, bodyCache } = req
  if (req.method === 'GET' || req.method === 'HEAD' || Object.keys(bodyCache).length === 0) return raw
  const headers = new Headers(raw.headers)
  headers.delete('content-length')
  // Of a form that was read as such, Hono keeps no bytes, so that the form gets another boundary.
  const isForm = 'formData' in bodyCache && !('arrayBuffer' in bodyCache)
  if (isForm) headers.delete('content-type')
  return new Request(raw, { headers, body: isForm ? await req.formData() : await req.arrayBuffer() })
}

/**
 * Adds the headers that other middleware has set on the context. Hono itself would drop them or let them replace the
 * handler's headers, depending on whether `c.res` was read.
 */
function addHeaders(context: Context, response: Response, warnsOfCookies: boolean): Response {
  const contextHeaders = [...context.newResponse(null).headers]
  if (contextHeaders.length === 0) return response
  const cookies = contextHeaders.filter(([name]) => name === 'set-cookie')
  if (cookies[0] && warnsOfCookies) warnOfCookie(cookies[0][1], response.headers.get('cache-control'))
  // A copy, because a handler may return the same response to every visitor.
  const merged = withHeaders(response, (headers) => {
    const handlerCookies = headers.getSetCookie()
    headers.delete('set-cookie')
    for (const [name, value] of contextHeaders) {
      if (name === 'set-cookie' || name === 'vary' || !headers.has(name)) headers.append(name, value)
    }
    for (const cookie of handlerCookies) headers.append('set-cookie', cookie)
  })
  // Without this, Hono would merge the headers once more.
  context.res = undefined
  context.res = merged
  return merged
}

const warnOfCookie = createCookieWarning('c')
