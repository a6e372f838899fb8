import { cancelBody, joinBytes, streamFrom } from '../http/body.js'

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

const decoder = new TextDecoder()

/**
 * Reads an answer, and returns its JSON with a copy of it that can be read. The JSON is `undefined` if the body is something else, or
 * too large.
 *
 * @param maxBytes Largest body that is parsed; a larger one is passed on as it arrives.
 */
export async function readAnswer(response: Response, maxBytes: number): Promise<{ json: unknown; copy: Response }> {
  const { status, statusText, headers, url, redirected } = response
  if (!response.body || status < 200) return { json: undefined, copy: response }
  const body = await readBody(response.body, maxBytes)
  const json = body instanceof Uint8Array ? parseJson(body) : undefined
  const copy = new Response(body, { status, statusText, headers })
  const parse = copy.json.bind(copy)
  let parsed = json
  // The first reader gets what was parsed for its tags.
  const read = async () => {
    const first = parsed
    parsed = undefined
    return first ?? parse()
  }
  Object.defineProperties(copy, { url: { value: url }, redirected: { value: redirected }, json: { value: read } })
  return { json, copy }
}

async function readBody(body: Body, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | Body> {
  const reader = body.getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value)
    length += piece.value.length
    if (length > maxBytes) return unread(pieces, reader)
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : joinBytes(pieces)
}

/** Returns the stream of a body whose first pieces were read. */
function unread(pieces: Uint8Array<ArrayBuffer>[], reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Body {
  const read = async () => {
    const value = pieces.shift()
    return value ? { done: false as const, value } : reader.read()
  }
  return streamFrom(read, (reason) => cancelBody(reader, reason))
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    return undefined
  }
}
