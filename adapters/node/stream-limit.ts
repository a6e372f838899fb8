import type { Http2Session, ServerHttp2Stream } from 'node:http2'

// As in nginx. Fewer than 100 would slow browsers down (RFC 9113, section 6.5.2).
const maxStreams = 128
const unlimited = 2 ** 32 - 1
/** Milliseconds in which a client must take something of what waits for it. */
export const maxIdleTime = 60_000
// RFC 9113, section 7. Not imported: the adapter for Hono also runs where there is no `node:http2`.
const INTERNAL_ERROR = 0x2
const REFUSED_STREAM = 0x7
const openStreams = new WeakMap<Http2Session, Set<ServerHttp2Stream>>()

/**
 * Bounds the requests that one HTTP/2 client may have at a time, which Node does not: to the server's own
 * `maxConcurrentStreams`, or else to 128, which the client is told with the first request. Further streams are refused, before
 * anything has begun, so that clients may send them again (RFC 9113, section 8.7).
 *
 * @returns Whether the stream may go on.
 */
export function admitStream(stream: ServerHttp2Stream): boolean {
  const { session } = stream
  if (!session) return true // it is closed
  const open = openStreams.get(session) ?? observe(session)
  if (open.has(stream)) return true // seen by an earlier handler
  if (open.size >= (limitOf(session) ?? maxStreams)) {
    stream.on('error', () => {}).close(REFUSED_STREAM)
    return false
  }
  open.add(stream)
  stream.once('close', () => open.delete(stream))
  return true
}

function observe(session: Http2Session): Set<ServerHttp2Stream> {
  const open = new Set<ServerHttp2Stream>()
  openStreams.set(session, open)
  limitIdleTime(session, open)
  const announce = () => {
    if (limitOf(session) === undefined && !session.destroyed) session.settings({ maxConcurrentStreams: maxStreams })
  }
  // Until the client has acknowledged the server's own settings, nobody can read them.
  if (session.pendingSettingsAck) session.once('localSettings', announce)
  else announce()
  return open
}

/**
 * Ends the responses of which bytes wait when a client takes nothing of its connection for a minute. Not by a time limit of each stream:
 * of several that wait, Node notices the progress of their connection for the first one only.
 */
function limitIdleTime(session: Http2Session & { timeout?: number }, open: Set<ServerHttp2Stream>): void {
  // A server with a time limit of its own keeps it.
  if (session.timeout) return
  session.setTimeout(maxIdleTime)
  session.on('timeout', () => {
    for (const stream of open) {
      if (stream.writableLength === 0) continue
      stream.on('error', () => {}).close(INTERNAL_ERROR)
      // A client that reads nothing of its connection does not take the reset either.
      stream.destroy()
    }
  })
}

/** The limit that the server has set, and the client acknowledged; `undefined` for none. */
function limitOf({ localSettings }: Http2Session): number | undefined {
  const { maxConcurrentStreams } = localSettings
  return maxConcurrentStreams === unlimited ? undefined : maxConcurrentStreams
}
