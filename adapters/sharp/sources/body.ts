import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { BodyTooLargeError, readBytes } from '../../../core/http/body.js'
import { ImageFailure, originalTooLarge } from '../failure.js'

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads a body whole and decodes its content coding (RFC 9110, section 8.4). The limit counts decoded bytes, so that a
 * decompression bomb is given up as soon as it exceeds the limit.
 *
 * @param coding Value of `Content-Encoding`.
 * @throws ImageFailure 422 when it is larger than `maxBytes`, 502 for any coding but one of gzip, deflate and br, and what the stream fails with.
 */
export async function readDecodedBody(body: Readable, coding: string, maxBytes: number): Promise<Uint8Array> {
  const chunks = decode(body, coding)
  try {
    // On an error, this destroys the stream and its connection.
    return await readBytes(chunks, maxBytes)
  } catch (error) {
    throw error instanceof BodyTooLargeError ? originalTooLarge(maxBytes) : error
  }
}

/**
 * Gives up a body, and closes its connection. A stream that is destroyed before its end emits an error; without a listener
 * that would end the process.
 */
export function discardBody(body: Readable): void {
  body.on('error', () => {}).destroy()
}

function decode(body: Readable, coding: string): AsyncIterable<Uint8Array> {
  const name = coding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const createDecoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!createDecoder) {
    discardBody(body)
    throw new ImageFailure(502, 'The source sent an unknown content coding')
  }
  // The decoder passes errors of the body on.
  return pipeline(body, createDecoder(), () => {}) as unknown as AsyncIterable<Uint8Array>
}
