import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Mountable } from '../../core/handler.js'
import { BadRequest, toRequest } from './request.js'
import { sendResponse } from './response.js'

export interface NodeListenerOptions {
  /** Told of what a handler throws; the client gets a bare 500. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined
}

/**
 * Mounts a handler on Node's own server. What the handler does not answer is 404.
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
      if (error instanceof BadRequest) return void res.writeHead(400).end('Bad request')
      if (res.closed) return // the client left, and the handler said so
      onError(error)
      if (!res.headersSent && !res.destroyed) res.writeHead(500).end('Internal server error')
    }
  }
}
