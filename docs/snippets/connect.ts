import type { IncomingMessage, ServerResponse } from 'node:http'
import { type RouteHandler, sendResponse, toRequest, waitForTurn } from 'sitewright/node'

/** For servers in the manner of Connect: Polka, Restify, Vite's own and others. */
export function connectMiddleware(handler: RouteHandler) {
  return async (
    req: IncomingMessage,
    res: ServerResponse,
    next: (error?: unknown) => void,
  ) => {
    try {
      await waitForTurn(req, res) // HTTP/1.1 pipelining
      const response = await handler(toRequest(req, res))
      if (!response) return next() // not its route
      await sendResponse(res, response)
    } catch (error) {
      if (!res.closed) next(error) // else the client has disconnected
    }
  }
}
