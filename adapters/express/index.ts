import { checkHandler, type Mountable } from '../../core/handler.js'
import type { NodeResponse } from '../node/http2.js'
import type { ToRequestOptions } from '../node/request.js'
import { enableFastResponses } from '../node/response.js'
import { serve } from '../node/serve.js'
import { type ExpressRequest, parsedBody } from './request.js'

export type { ExpressRequest } from './request.js'

/**
 * Creates Express middleware from a handler. Requests that the handler does not answer go to the next middleware, errors
 * to the app's error handler, but for a malformed Host or request target: that is a 400. Works before and after a body
 * parser. Over HTTP/2 it works in apps in the manner of Connect; Express 4 and 5 themselves run over HTTP/1 only.
 *
 * @example app.use(expressMiddleware(images), expressMiddleware(revalidate))
 */
export function expressMiddleware(handler: Mountable) {
  checkHandler(handler)
  enableFastResponses()
  return (req: ExpressRequest, res: NodeResponse, next: (error?: unknown) => void): Promise<void> =>
    serve(handler, req, res, { pass: next, fail: next }, toOptions)
}

function toOptions(req: ExpressRequest): ToRequestOptions {
  return { protocol: req.protocol, url: req.originalUrl, body: parsedBody(req) }
}
