import { checkResponse, type Mountable } from './handler.js'

/**
 * Calls a handler, for servers that report whatever it throws. What it throws since the client has disconnected is no
 * failure, and there is nobody to answer: it becomes an empty 499, the status that nginx has for this in its log.
 *
 * @throws what the handler throws while the client waits.
 */
export async function handleWhileConnected(handler: Mountable, request: Request): Promise<Response | undefined> {
  try {
    return checkResponse(await handler(request))
  } catch (error) {
    if (!request.signal?.aborted) throw error
    return new Response(null, { status: 499 })
  }
}
