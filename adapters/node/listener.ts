import { checkHandler, checkResponse, type Mountable } from '../../core/handler.js'
import { checkFunction, checkKnownOptions } from '../../core/options.js'
import { isClosed, type NodeRequest, type NodeResponse, waitForTurn } from './exchange.js'
import { BadRequestError, type ToRequestOptions, toRequest } from './request.js'
import { enableFastResponses, sendResponse, sendText } from './response.js'

export interface NodeListenerOptions {
  /** Receives errors that a handler throws; the client gets a bare 500. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined
}

/**
 * Creates a listener for Node's own `http`, `https` and `http2` servers. Requests that the handler does not answer get
 * a 404.
 *
 * @example http.createServer(nodeListener(images.handler)).listen(3000)
 * @example
 * const settings = { maxConcurrentStreams: 128 } // Node has no limit of its own
 * http2.createSecureServer({ key, cert, allowHTTP1: true, settings }, nodeListener(images.handler)).listen(443)
 */
export function nodeListener(
  handler: Mountable,
  options: NodeListenerOptions = {},
): (req: NodeRequest, res: NodeResponse) => Promise<void> {
  checkHandler(handler)
  const { onError = console.error } = checkKnownOptions(options, { onError: checkFunction }, 'nodeListener(handler)')
  enableFastResponses()
  return (req, res) =>
    serve(handler, req, res, {
      pass: () => sendResponse(res, new Response('Not found', { status: 404 })),
      fail: (error) => answerError(res, error, onError),
    })
}

/** Answers an error with a bare 500, unless the response has begun. */
export function answerError(
  res: NodeResponse,
  error: unknown,
  onError: (error: unknown) => void = console.error,
): void {
  onError(error)
  if (!res.headersSent && !isClosed(res)) sendText(res, 500, 'Internal server error')
}

interface Outcomes {
  pass(): unknown
  fail(error: unknown): unknown
  /** Called for a malformed Host or request target. Default: a 400. */
  refuse?(): unknown
}

/**
 * Lets a handler answer one Node request. Calls `pass` when the handler has no matching route, and `fail` when the
 * handler or its response fails. A malformed Host or request target gets a 400 and does not count as an error of the
 * site, because any client can send one. Rejects only if `fail` throws an error.
 */
export async function serve<Request extends NodeRequest>(
  handler: Mountable,
  req: Request,
  res: NodeResponse,
  { pass, fail, refuse = () => sendText(res, 400, 'Bad request') }: Outcomes,
  toOptions?: (req: Request) => ToRequestOptions,
): Promise<void> {
  try {
    const turn = waitForTurn(req, res)
    // Awaiting `undefined` would cost as much as setting a header.
    if (turn) await turn
    const response = checkResponse(await handler(toRequest(req, res, toOptions?.(req))))
    if (response) await sendResponse(res, response)
    else await pass()
  } catch (error) {
    // The client has disconnected. That is not a failure, and no response would reach it.
    if (isClosed(res)) return
    if (error instanceof BadRequestError) refuse()
    else fail(error)
  }
}
