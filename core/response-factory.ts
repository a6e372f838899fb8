import { pieceBytes, streamBytes } from './http/body.js'

/**
 * The body of a response: text or bytes, which are not modified and can be sent again, or a stream, which is read once.
 * Node's streams are `AsyncIterable`s.
 */
export type ResponseBody =
  | string
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | AsyncIterable<Uint8Array>
  | null

/** Creates responses. A server's adapter may have a cheaper way than the platform's `Response`. */
export interface ResponseFactory {
  /** Whether bytes are sent as they are, so that text need not be decoded first. */
  readonly sendsBytesUncopied: boolean
  create(body: ResponseBody, init: ResponseInit): Response
  /** Creates a response with the unread body of another response, which must not be used afterwards. */
  createFrom(response: Response, init: ResponseInit): Response
}

// `Response` is looked up at each call, because servers such as @hono/node-server replace it.
const platform: ResponseFactory = {
  sendsBytesUncopied: false,
  create(body, init) {
    // A stream copies bytes only as they are read. It is not worth its cost for bytes that it would copy at once.
    const isLarge = body instanceof Uint8Array && body.length > pieceBytes
    const content = isLarge ? streamBytes(body) : body
    return new Response(content as BodyInit | null, withOwnHeaders(init, content))
  },
  createFrom({ body }, init) {
    const copy = new Response(body, init)
    // `@hono/node-server` then sends the copy as it would have sent the response, and not piece by piece.
    void copy.body
    return copy
  },
}
let factory = platform

/**
 * Copies headers that several responses may share, because a server may write into the object that it gets. The
 * `Response` of @hono/node-server 1, which alone has no `json` of its own, gets a `Headers`: in any other form, it
 * forgets what middleware adds as soon as its body is read. For other servers a `Headers` would cost more.
 */
function withOwnHeaders(init: ResponseInit, content: unknown): ResponseInit {
  const { headers } = init
  if (!headers || headers instanceof Headers) return init
  if (Object.hasOwn(Response, 'json')) return Array.isArray(headers) ? init : { ...init, headers: { ...headers } }
  const copy = new Headers(headers)
  // Up to version 1.19.10, that server sends the length of text and bytes a second time, and clients refuse that.
  if (typeof content === 'string' || content instanceof Uint8Array) copy.delete('content-length')
  return { ...init, headers: copy }
}

/** Sets how core creates responses from now on, in the whole process. Default: the platform's `Response`. */
export function setResponseFactory(replacement: ResponseFactory = platform): void {
  factory = replacement
}

/** Whether bytes are sent as they are, so that text need not be decoded first. */
export function sendsBytesUncopied(): boolean {
  return factory.sendsBytesUncopied
}

/** Creates a response. Core uses it instead of `new Response` wherever responses are created for many requests. */
export function createResponse(body: ResponseBody, init: ResponseInit): Response {
  return factory.create(body, init)
}

/**
 * Creates a response with other headers and the unread body of another response, which must not be used afterwards. On
 * `@hono/node-server`, text and bytes are copied as the handler gave them, because that server sends them with their
 * length, and a stream in chunks.
 */
export function createResponseFrom(response: Response, headers: Headers): Response {
  const { status } = response
  const cache = Object.getOwnPropertySymbols(response).find(({ description }) => description === 'cache')
  const given: unknown = cache && Reflect.get(response, cache)
  if (!Array.isArray(given)) return factory.createFrom(response, { status, statusText: response.statusText, headers })
  // The platform would give a type to text without one.
  const isUntyped = typeof given[1] === 'string' && !headers.has('content-type')
  const body: BodyInit | null = isUntyped ? new TextEncoder().encode(given[1]) : given[1]
  // Up to version 1.19.10, that server sends a stated length of text and bytes a second time.
  if (body !== null && !(body instanceof ReadableStream)) headers.delete('content-length')
  return new Response(body, { status, headers })
}
