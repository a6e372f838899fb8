import { BodyTooLargeError, readBytes, readPieces } from '../http/body.js'
import { type EndpointError, errors } from './errors.js'

const maxBodyBytes = 64 * 1024

/** The bytes of a body, or the error if it could not be read. */
export type BodyResult = { bytes: Uint8Array<ArrayBuffer>; error?: never } | { error: EndpointError; bytes?: never }

/** Reads the body of a request, up to 64 KB. */
export async function readBody({ headers, body }: Pick<Request, 'headers' | 'body'>): Promise<BodyResult> {
  // Servers cope better with a body that was never read than with one that was read in part.
  if (Number(headers.get('Content-Length')) > maxBodyBytes) return { error: errors.bodyTooLarge }
  try {
    return { bytes: await readBytes(readPieces(body), maxBodyBytes) }
  } catch (error) {
    if (error instanceof BodyTooLargeError) return { error: errors.bodyTooLarge }
    return { error: errors.bodyUnreadable } // the client disconnected, or the body was read before
  }
}
