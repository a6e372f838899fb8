const pieceBytes = 64 * 1024

/** A body is longer than its reader allows. */
export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError'
}

/**
 * Cancels a body, or its reader, when nobody reads on. Not at once: a stream of Node that `Readable.toWeb` has just converted
 * throws where nobody can catch it when it is cancelled before it has begun to flow, and that ends the process.
 */
export function cancelBody(body: Pick<ReadableStream, 'cancel'> | null | undefined, reason?: unknown): void {
  if (body) setTimeout(() => body.cancel(reason).catch(() => {}))
}

// More are joined while the rest is being read: a piece of one byte takes some hundred, and a body may be sent in such.
const maxPieces = 1_000

/**
 * Reads a whole body. Rejects as soon as it exceeds `maxBytes`.
 *
 * @param pieces The body: Node's streams are iterable; {@link readPieces} makes a web stream so.
 * @param maxBytes Largest body, in bytes.
 * @throws BodyTooLargeError when it is larger, and what the body fails with.
 */
export async function readBytes(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const joined: Uint8Array[] = []
  let recent: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > maxBytes) throw new BodyTooLargeError(`body is larger than ${maxBytes} bytes`)
    recent.push(piece)
    if (recent.length < maxPieces) continue
    joined.push(joinBytes(recent))
    recent = []
  }
  return joinBytes([...joined, ...recent])
}

/** Joins pieces in a buffer of its own. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
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
 * Streams copies of the same bytes to every reader, piece by piece: a `Response` would copy the whole array, and many clients that
 * read slowly would take the memory of a whole body each. Readers own their pieces: a byte stream detaches them.
 */
export function streamBytes(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (offset < body.length) controller.enqueue(body.slice(offset, offset + pieceBytes))
        offset += pieceBytes
        if (offset >= body.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
