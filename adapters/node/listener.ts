import { checkHandler, checkResponse, type Mountable } from '../../core/handler.js'
import { checkKnownOptions, type OptionKinds } from '../../core/known-options.js'
import { isClosed, isDestroyed, type NodeRequest, type NodeResponse } from './http2.js'
import { waitForTurn } from './pipelining.js'
import { BadRequestError, toRequest } from './request.js'
import { enableFastResponses, sendResponse, sendText } from './response.js'

export interface NodeListenerOptions {
  /** Receives errors that a handler throws; the client gets a bare 500. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined
}

const optionKinds: OptionKinds<NodeListenerOptions> = { onError: 'any' }

/**
 * Creates a listener for Node's own `http`, `https` and `http2` servers. Requests that the handler does not answer get 404.
 *
 * @example http.createServer(nodeListener(images)).listen(3000)
 * @example http2.createSecureServer({ key, cert, allowHTTP1: true }, nodeListener(images)).listen(443)
 */
export function nodeListener(
  handler: Mountable,
  options: NodeListenerOptions = {},
): (req: NodeRequest, res: NodeResponse) => Promise<void> {
  checkHandler(handler)
  const { onError = console.error } = checkKnownOptions(options, optionKinds)
  enableFastResponses()
  return async (req, res) => {
    try {
      await waitForTurn(req, res)
      const response = checkResponse(await handler(toRequest(req, res)))
      await sendResponse(res, response ?? new Response('Not found', { status: 404 }))
    } catch (error) {
      if (error instanceof BadRequestError) return sendText(res, 400, 'Bad request')
      if (isClosed(res)) return // the client disconnected, and the handler threw because of it
      onError(error)
      if (!res.headersSent && !isDestroyed(res)) sendText(res, 500, 'Internal server error')
    }
  }
}
