import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Mountable } from '../../core/handler.js'
import { BadRequestError, toRequest } from './request.js'
import { sendResponse } from './response.js'

export interface NodeListenerOptions {
  /** Receives errors that a handler throws; the client gets a bare 500. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined
}

/**
 * Creates a listener for Node's own `http` server. Requests that the handler does not answer get 404.
 *
 * @example http.createServer(nodeListener(images)).listen(3000)
 */
export function nodeListener(
  handler: Mountable,
  { onError = console.error }: NodeListenerOptions = {},
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async (req, res) => {
    try {
      const response = await handler(toRequest(req, res))
      await sendResponse(res, response ?? new Response('Not found', { status: 404 }))
    } catch (error) {
      if (error instanceof BadRequestError) return void res.writeHead(400).end('Bad request')
      if (res.closed) return // the client disconnected, and the handler threw because of it
      onError(error)
      if (!res.headersSent && !res.destroyed) res.writeHead(500).end('Internal server error')
    }
  }
}
