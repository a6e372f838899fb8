import { checkHandler, type Mountable } from '../../core/handler.js'
import type { NodeResponse } from '../node/exchange.js'
import { serve } from '../node/listener.js'
import { enableFastResponses } from '../node/response.js'
import { type ExpressRequest, parsedBody } from './request.js'

export { inFrontOf } from './in-front-of.js'
export type { ExpressRequest } from './request.js'

/**
 * Creates Express middleware from a handler. Requests that the handler does not answer go to the next middleware, and
 * errors go to the app's error handler. A malformed Host or request target gets a 400. Works before and after a body
 * parser. Over HTTP/2 it works in Connect-style apps; Express 4 and 5 themselves run over HTTP/1 only.
 *
 * @example app.use(expressMiddleware(images.handler), expressMiddleware(revalidate))
 */
export function expressMiddleware(handler: Mountable) {
  checkHandler(handler)
  enableFastResponses()
  return (req: ExpressRequest, res: NodeResponse, next: (error?: unknown) => void): Promise<void> =>
    serve(handler, req, res, { pass: next, fail: next }, toOptions)
}

const toOptions = (req: ExpressRequest) => ({ protocol: req.protocol, url: req.originalUrl, body: parsedBody(req) })
