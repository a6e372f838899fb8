import { checkHandler, type Mountable } from '../../core/handler.js'
import { checkFunction, checkKnownOptions, type OptionChecks } from '../../core/options.js'
import { isDestroyed, type NodeRequest, type NodeResponse } from './http2.js'
import { enableFastResponses, sendResponse, sendText } from './response.js'
import { serve } from './serve.js'

export interface NodeListenerOptions {
  /** Receives errors that a handler throws; the client gets a bare 500. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined
}

const checks: OptionChecks<NodeListenerOptions> = { onError: checkFunction }

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
  const { onError = console.error } = checkKnownOptions(options, checks, 'nodeListener(handler)')
  enableFastResponses()
  return (req, res) =>
    serve(handler, req, res, {
      pass: () => sendResponse(res, new Response('Not found', { status: 404 })),
      fail(error) {
        onError(error)
        if (!res.headersSent && !isDestroyed(res)) sendText(res, 500, 'Internal server error')
      },
    })
}
