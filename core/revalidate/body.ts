import { type Refusal, refusals } from './refusals.js'

const maxBodyBytes = 64 * 1024

/** The bytes of a body, or why there are none. */
export type Body = { bytes: Uint8Array<ArrayBuffer>; refusal?: never } | { refusal: Refusal; bytes?: never }

/**
 * Reads the body of a request. Stops as soon as it is longer than 64 KB, and keeps nothing beyond.
 */
export async function readBody({ headers, body }: Pick<Request, 'headers' | 'body'>): Promise<Body> {
  // Then the stream stays unread, which every server copes with better than with one that was left halfway.
  if (Number(headers.get('Content-Length')) > maxBodyBytes) return { refusal: refusals.bodyTooLarge }
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    const reader = body?.getReader()
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      length += piece.value.length
      if (length > maxBodyBytes) {
        reader?.cancel().catch(() => {})
        return { refusal: refusals.bodyTooLarge }
      }
      pieces.push(piece.value)
    }
  } catch {
    return { refusal: refusals.bodyUnreadable } // the client left, or something read it before us
  }
  return { bytes: join(pieces, length) }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}
