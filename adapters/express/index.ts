import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Mountable } from '../../core/handler.js'
import { toRequest } from '../node/request.js'
import { sendResponse } from '../node/response.js'
import { parsedBody } from './body.js'

/** What is read of Express' request, in versions 4 and 5 alike. */
export interface ExpressRequest extends IncomingMessage {
  /** `'http'` or `'https'`; the app's `trust proxy` decides whose word counts. */
  protocol: string
  /** Path and query as the client sent them, whatever path the middleware is mounted at. */
  originalUrl: string
  /** Set by a body parser. */
  body?: unknown
}

/**
 * Mounts a handler as Express middleware: what it does not answer goes on to the next, what it throws to the app's
 * error handler. Works before and after a body parser.
 *
 * @example app.use(expressMiddleware(images), expressMiddleware(revalidate))
 */
export function expressMiddleware(handler: Mountable) {
  return async (req: ExpressRequest, res: ServerResponse, next: (error?: unknown) => void): Promise<void> => {
    try {
      const target = { protocol: req.protocol, url: req.originalUrl, body: parsedBody(req) }
      const response = await handler(toRequest(req, res, target))
      if (!response) return next()
      await sendResponse(res, response)
    } catch (error) {
      // When the client has left there is nobody to answer, and nothing that failed.
      if (!res.closed) next(error)
    }
  }
}
