import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { BodyTooLargeError, readBytes } from '../../../core/http/body.js'
import { destroyBody } from '../../node/http-client.js'
import { ImageFailure, originalTooLarge } from '../failure.js'
import { headBytes } from '../transforms/image-type.js'
import { checkType } from '../transforms/inspect.js'

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

// Each piece costs the same, however small it is: an origin that sends single bytes would take half of the processor.
const freePieces = 1_000
const minPieceBytes = 256

/**
 * Reads a body whole and decodes its content coding (RFC 9110, section 8.4). The limit counts decoded bytes, so that a
 * decompression bomb is given up as soon as it exceeds the limit, and so is what does not begin as an image does. It counts the
 * bytes before that as well, since any number of them may decode to nothing.
 *
 * @param coding Value of `Content-Encoding`.
 * @throws ImageFailure 422 when it is larger than `maxBytes` or no image, 502 for very small pieces and any coding but one of gzip, deflate and br, and what the stream fails with.
 */
export async function readDecodedBody(
  body: Readable,
  coding: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = decode(body, coding, maxBytes)
  try {
    // On an error, this destroys the stream and its connection.
    return await readBytes(checkHead(chunks), maxBytes)
  } catch (error) {
    throw error instanceof BodyTooLargeError ? originalTooLarge(maxBytes) : error
  }
}

/** Passes on what was received until its pieces turn out to be very small, or all together too large. */
async function* checkPieces(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let pieces = 0
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new BodyTooLargeError()
    if (++pieces > freePieces + bytes / minPieceBytes) throw new ImageFailure(502, 'The source sends too small pieces')
    yield chunk
  }
}

/** Passes a decoded body on until its first bytes turn out to be those of no image. */
async function* checkHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array()
  for await (const chunk of chunks) {
    if (head) head = Buffer.concat([head, chunk.subarray(0, headBytes)])
    if (head && head.length >= headBytes) {
      checkType(head)
      head = undefined
    }
    yield chunk
  }
}

function decode(body: Readable, coding: string, maxBytes: number): AsyncIterable<Uint8Array> {
  const name = coding.trim().toLowerCase()
  if (name === '' || name === 'identity') return checkPieces(body, maxBytes)
  const createDecoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!createDecoder) {
    destroyBody(body)
    throw new ImageFailure(502, 'The source sent an unknown content coding')
  }
  // The decoder passes errors of the body on. Each piece that it gets is a task of its own, whatever it decodes to.
  const received = (chunks: Readable) => checkPieces(chunks, maxBytes)
  return pipeline(body, received, createDecoder(), () => {}) as unknown as AsyncIterable<Uint8Array>
}
