import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ImageFailure } from '../failure.js'

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads a body whole, its content coding undone (RFC 9110, section 8.4). The bound counts what comes out, so that a
 * small body that unpacks to a large one is given up as soon as it is too large.
 *
 * @throws ImageFailure 422 when it is larger than `maxBytes`, 502 for a coding that was not asked for and is unknown;
 *   else whatever the stream fails with.
 */
export async function readBody(body: Readable, coding: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of decode(body, coding)) {
    length += chunk.length
    if (length > maxBytes) throw new ImageFailure(422, `The original is larger than ${maxBytes} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks, length)
}

function decode(body: Readable, coding: string): AsyncIterable<string | Buffer> {
  const name = coding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  const createDecoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!createDecoder) {
    body.destroy()
    throw new ImageFailure(502, 'The source sends an unknown content coding')
  }
  // Errors of the body reach the loop through the decoder.
  return pipeline(body, createDecoder(), () => {}) as unknown as AsyncIterable<Buffer>
}
