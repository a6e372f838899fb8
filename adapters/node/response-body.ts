import type { Readable } from 'node:stream'
import { cancelBody } from '../../core/http/body.js'
import { breakOff, createLengthCheck, isClosed, isDestroyed, isHttp2, type NodeResponse } from './http2.js'
import { maxIdleTime } from './stream-limit.js'

const maxWholeBytes = 256 * 1024
const pieceBytes = 64 * 1024
const ascii = /^[\0-\x7f]*$/

/** Whether a body is too long to be handed to Node at once. */
export function isLong(body: unknown): body is string | Uint8Array {
  return (typeof body === 'string' || body instanceof Uint8Array) && body.length > maxWholeBytes
}

/** Sends a short body. */
export function sendWhole(res: NodeResponse, body: string | Uint8Array, headers: readonly string[]): void {
  if (res.req.method === 'HEAD') return void res.end()
  // Node sends the head in the encoding of a text, and header fields are Latin-1.
  const isSafe = typeof body !== 'string' || headers.every((text) => ascii.test(text))
  const content = isSafe ? body : Buffer.from(body)
  checkWhole(res, Buffer.byteLength(content))
  res.end(content)
  // Nearly always, the operating system has taken all of it.
  if (res.socket?.writableLength) limitIdleTime(res)
}

/** Sends a long body at the pace of the client. */
export function sendLong(res: NodeResponse, body: string | Uint8Array): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  checkWhole(res, bytes.length)
  // As Node does for a body that it gets at once.
  if (!isHttp2(res) && !res.hasHeader('content-length')) res.setHeader('content-length', bytes.length)
  let unread: Uint8Array | undefined = bytes
  const read = async (): Promise<IteratorResult<Uint8Array, unknown>> => {
    const value = unread
    unread = undefined
    return value ? { done: false, value } : { done: true, value }
  }
  return sendChunks(res, { read, cancel() {} })
}

/** @throws Error when it is not as long as its `Content-Length`, before anything is sent. */
function checkWhole(res: NodeResponse, length: number): void {
  const field = res.getHeader('content-length')
  if (field === undefined || Number(field) === length) return
  throw new Error(`Response body: expected ${field} bytes as in Content-Length, got ${length}`)
}

/**
 * Sends a stream at the pace of the client.
 *
 * @throws the error of the stream, after the transfer was broken off; nothing when the client disconnected.
 */
export function sendStream(res: NodeResponse, body: Readable | ReadableStream<Uint8Array>): Promise<void> {
  return sendChunks(res, toChunks(body))
}

/** Cancels a body that is not sent. */
export function discard(body: unknown, reason?: unknown): void {
  if (isNodeStream(body)) body.on('error', () => {}).destroy()
  else if (body instanceof ReadableStream) cancelBody(body, reason)
}

function isNodeStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body
}

/** A body chunk by chunk, whichever kind it is. */
interface Chunks {
  read(): Promise<IteratorResult<Uint8Array, unknown>>
  cancel(reason: unknown): void
}

function toChunks(body: Readable | ReadableStream<Uint8Array>): Chunks {
  if (isNodeStream(body)) {
    const iterator = body[Symbol.asyncIterator]()
    return { read: () => iterator.next(), cancel: () => discard(body) }
  }
  const reader = body.getReader()
  return {
    read: () => reader.read() as ReturnType<Chunks['read']>,
    cancel: (reason) => cancelBody(reader, reason),
  }
}

async function sendChunks(res: NodeResponse, { read, cancel }: Chunks): Promise<void> {
  const onClose = () => cancel(new Error('Client disconnected'))
  res.once('close', onClose)
  const checkLength = createLengthCheck(res)
  const drain = createDrain(res)
  limitIdleTime(res)
  try {
    for (let chunk = await read(); !chunk.done; chunk = await read()) {
      // The cancelled stream of a handler that has every chunk at once would otherwise be read for ever.
      if (isDestroyed(res)) return onClose()
      const { value } = chunk
      checkLength(Buffer.byteLength(value))
      for (const piece of toPieces(value)) {
        if (isDestroyed(res)) break
        if (!writeChunk(res, piece)) await drain.wait()
      }
    }
    // To end it now would let Node begin with the next response on a connection that is closed.
    if (isDestroyed(res)) return
    checkLength('end')
    res.end()
  } catch (error) {
    if (isClosed(res)) return
    breakOff(res)
    cancel(error)
    throw error
  } finally {
    res.off('close', onClose)
    drain.end()
  }
}

/** Divides a long chunk: TLS encrypts all that it gets at once, which would then be in memory twice. */
function* toPieces(chunk: Uint8Array): Generator<Uint8Array> {
  if (!(chunk.length > maxWholeBytes)) return yield chunk
  for (let offset = 0; offset < chunk.length; offset += pieceBytes) yield chunk.subarray(offset, offset + pieceBytes)
}

function writeChunk(res: NodeResponse, chunk: Uint8Array): boolean {
  return isHttp2(res) ? res.write(chunk) : res.write(chunk)
}

/**
 * Creates the function that waits until a client has taken what was written. One listener for all of a response: `compression`
 * adds it to another stream, which `off` does not know, and which `on` returns.
 */
function createDrain(res: NodeResponse): { wait(): Promise<void>; end(): void } {
  let wake = () => {}
  const onDrain = () => wake()
  res.on('drain', onDrain)
  res.on('close', onDrain)
  return {
    wait: () => new Promise((resolve) => (wake = resolve)),
    end() {
      res.off('drain', onDrain)
      res.off('close', onDrain)
    },
  }
}

/**
 * Disconnects a client that takes nothing of a response for a minute, as nginx does (`send_timeout`). Node also notices when a client
 * takes a part of one write. A handler that has nothing to send may take longer. For HTTP/2, `admitStream` does it.
 */
function limitIdleTime(res: NodeResponse): void {
  if (isHttp2(res)) return
  const { socket } = res
  // A server with a time limit of its own keeps it.
  if (!socket || socket.timeout) return
  res.setTimeout(maxIdleTime, () => socket.writableLength > 0 && res.destroy())
  // Before Node sets how long the connection may wait for its next request.
  res.prependOnceListener('finish', () => socket.setTimeout(0))
}
