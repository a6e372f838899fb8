import { checkHandler, checkResponse, type Mountable } from '../../core/handler.js'
import { isClosed, type NodeResponse } from '../node/http2.js'
import { waitForTurn } from '../node/pipelining.js'
import { BadRequestError, toRequest } from '../node/request.js'
import { enableFastResponses, sendResponse, sendText } from '../node/response.js'
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
  return async (req: ExpressRequest, res: NodeResponse, next: (error?: unknown) => void): Promise<void> => {
    try {
      await waitForTurn(req, res)
      const options = { protocol: req.protocol, url: req.originalUrl, body: parsedBody(req) }
      const response = checkResponse(await handler(toRequest(req, res, options)))
      if (!response) return next()
      await sendResponse(res, response)
    } catch (error) {
      // An error after the client disconnected is no failure, and there is nobody to respond to.
      if (isClosed(res)) return
      // Not an error of the app: Express would log the stack of each, and anybody can send them.
      if (error instanceof BadRequestError) sendText(res, 400, 'Bad request')
      else next(error)
    }
  }
}
