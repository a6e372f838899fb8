import type { Socket } from 'node:net'
import { buildConnector, type Dispatcher } from 'undici'

/**
 * Creates undici's `connect` for servers that may close or reset a connection at any time. By itself, undici 7 throws from
 * the socket's event when that happens while the reader of a body is slow, which ends the process
 * (https://github.com/nodejs/undici/issues/5360, mended in undici 8 only). It speaks HTTP/1.1 only, with every
 * version: undici 8 would negotiate HTTP/2.
 *
 * @example new Agent({ connect: createHttp1Connector({ timeout: 3_000 }) })
 */
export function createHttp1Connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false })
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result
      if (socket) {
        deferEnd(socket)
        reportResets(socket)
      }
      callback(...result)
    })
}

/**
 * Tells undici of the end of a connection only after it has parsed everything before. It stops reading while the reader of
 * a body is slow; an end that comes then fails an assertion, and responses that are complete.
 */
function deferEnd(socket: Socket): void {
  const { push, read } = socket
  // undici reads until there is nothing left, except while the reader is slow.
  let isDrained = true
  let hasEnded = false
  const end = () => {
    push.call(socket, null)
    read.call(socket, 0)
  }
  // A reset that comes together with bytes is an end as well, to libuv; but a write fails then. A server ignores an empty line
  // (RFC 9112, section 2.2).
  const endUnlessReset = () => {
    if (socket.writable) socket.write('\r\n', (error) => error || end())
    else end()
  }
  socket.push = (chunk, encoding) => {
    if (chunk !== null) return push.call(socket, chunk, encoding)
    if (isDrained && socket.readableLength === 0) endUnlessReset()
    else hasEnded = true
    return false
  }
  socket.read = (size) => {
    const chunk = read.call(socket, size)
    // Reading 0 bytes is Node's own way to ask for more.
    if (size !== 0) isDrained = chunk === null
    if (!hasEnded || !isDrained) return chunk
    hasEnded = false
    // What undici does with the last bytes comes first.
    process.nextTick(endUnlessReset)
    return chunk
  }
}

/**
 * Makes a reset fail the response, whatever has arrived of it (RFC 9112, section 8). With the code `ECONNRESET`, undici
 * takes it for the end of the body, and what is truncated for whole where no length was stated.
 */
function reportResets(socket: Socket): void {
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET'
  })
}

// Of a connection that ended before any of the response.
const closedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * Sends a request; a GET or HEAD once more when its connection ends before the response: the server may just have closed one
 * that was kept, of which nobody knew (RFC 9112, section 9.3.1).
 */
export async function requestAgain(
  dispatcher: Dispatcher,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  try {
    return await dispatcher.request(options)
  } catch (error) {
    const isRepeatable = (options.method === 'GET' || options.method === 'HEAD') && !options.body
    if (!isRepeatable || !closedCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    return await dispatcher.request(options)
  }
}
