import { checkResponse, explainError, type Mountable } from '../../core/handler.js'
import { isClosed, type NodeRequest, type NodeResponse } from './http2.js'
import { waitForTurn } from './pipelining.js'
import { BadRequestError, type ToRequestOptions, toRequest } from './request.js'
import { sendResponse, sendText } from './response.js'

/** What a server does with the requests that a handler did not answer. */
export interface Unanswered {
  /** The handler has no such route. */
  pass(): unknown
  /** The handler failed, or its response. */
  fail(error: unknown): unknown
}

/**
 * Lets a handler answer one request of Node. A malformed Host or request target is a 400, and no error of the site: anybody
 * can send them. Never rejects by itself.
 */
export async function serve<Request extends NodeRequest>(
  handler: Mountable,
  req: Request,
  res: NodeResponse,
  { pass, fail }: Unanswered,
  toOptions?: (req: Request) => ToRequestOptions,
): Promise<void> {
  try {
    const turn = waitForTurn(req, res)
    // Waiting for nothing would cost as much as setting a header.
    if (turn) await turn
    const response = checkResponse(await handler(toRequest(req, res, toOptions?.(req))))
    if (response) await sendResponse(res, response)
    else await pass()
  } catch (error) {
    // The client has disconnected: that is no failure, and there is nobody to respond to.
    if (isClosed(res)) return
    if (error instanceof BadRequestError) sendText(res, 400, 'Bad request')
    else fail(explainError(error))
  }
}
