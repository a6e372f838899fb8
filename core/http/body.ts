/** The size of the pieces in which bytes are streamed. */
export const pieceBytes = 64 * 1024

/** Thrown when a body is larger than its reader allows. */
export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError'
}

/**
 * Cancels a body that is not read any further. `body` is the stream itself, or its reader. The cancellation waits for a
 * timer, because a stream that `Readable.toWeb` has just converted has not begun to flow. If it is cancelled before it
 * flows, it throws an error that cannot be caught, and the process ends.
 */
export function cancelBody(body: Pick<ReadableStream, 'cancel'> | null | undefined, reason?: unknown): void {
  if (body) setTimeout(() => body.cancel(reason).catch(() => {}))
}

/**
 * Reads a whole body. Rejects as soon as the body exceeds `maxBytes`. Copies the pieces into one growing buffer,
 * because a body may consist of one-byte pieces, and each piece takes some hundred bytes of memory.
 *
 * @param pieces The body. Node's streams are iterable; {@link readPieces} makes a web stream iterable.
 * @param maxBytes Largest body, in bytes.
 * @throws BodyTooLargeError if the body is larger, and any error of the body.
 */
export async function readBytes(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(pieceBytes)
  let length = 0
  for await (const piece of pieces) {
    const end = length + piece.length
    if (end > maxBytes) throw new BodyTooLargeError(`body is larger than ${maxBytes} bytes`)
    if (end > bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * bytes.length))
      grown.set(bytes)
      bytes = grown
    }
    bytes.set(piece, length)
    length = end
  }
  return bytes.slice(0, length)
}

/** Joins pieces in a new buffer. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const piece of pieces) length += piece.length
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}

/** Reads a web stream piece by piece. Stopping early cancels it, without waiting for the cancellation. */
export async function* readPieces<Piece>(body: ReadableStream<Piece> | null | undefined): AsyncGenerator<Piece> {
  const reader = body?.getReader()
  try {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) yield piece.value
  } finally {
    cancelBody(reader)
  }
}

/**
 * Streams copies of bytes, piece by piece, because a `Response` would copy the whole array for each slow client. Each
 * reader gets its own copies, because a byte stream detaches its pieces.
 */
export function streamBytes(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0
  const read = async (): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> => {
    const value = body.slice(offset, offset + pieceBytes)
    offset += pieceBytes
    return value.length > 0 ? { done: false, value } : { done: true, value: undefined }
  }
  return streamFrom(read, () => {})
}

/** Creates a stream of the pieces that `read` returns, at the reader's pace. */
export function streamFrom<Piece>(
  read: () => Promise<ReadableStreamReadResult<Piece>>,
  cancel: (reason: unknown) => void,
): ReadableStream<Piece> {
  return new ReadableStream<Piece>(
    {
      async pull(controller) {
        const { done, value } = await read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
}

/** Whether a status forbids a body. The constructor of `Response` enforces this (Fetch, "null body status"). */
export function hasNullBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON body. Returns `undefined` if the body is not UTF-8 or not JSON. */
export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : utf8.decode(body))
  } catch {
    return undefined
  }
}
