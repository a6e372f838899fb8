import { streamBytes } from './http/body.js'

/** Text or bytes, which are not changed and can be sent again; or a stream, which is read once. Node's are an `AsyncIterable`. */
export type ResponseBody =
  | string
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | AsyncIterable<Uint8Array>
  | null

/** Creates responses. A server's adapter may know a way that costs less than the platform's `Response`. */
export interface ResponseFactory {
  /** Whether bytes are sent as they are, so that text need not be decoded first. */
  readonly sendsBytesUncopied: boolean
  create(body: ResponseBody, init: ResponseInit): Response
  /** Creates a response with the unread body of another, which is not to be used any more. */
  createFrom(response: Response, init: ResponseInit): Response
}

// `Response` is looked up at each call, since servers replace it (@hono/node-server).
const platform: ResponseFactory = {
  sendsBytesUncopied: false,
  create: (body, init) =>
    new Response((body instanceof Uint8Array ? streamBytes(body) : body) as BodyInit | null, init),
  createFrom: ({ body }, init) => new Response(body, init),
}
let factory = platform

/** Sets how the responses of core are created from now on, in the whole process. Default: the platform's `Response`. */
export function setResponseFactory(better: ResponseFactory = platform): void {
  factory = better
}

/** Whether bytes are sent as they are, so that text need not be decoded first. */
export function sendsBytesUncopied(): boolean {
  return factory.sendsBytesUncopied
}

/** Creates a response: in core in place of `new Response`, wherever it is done for many requests. */
export function createResponse(body: ResponseBody, init: ResponseInit): Response {
  return factory.create(body, init)
}

/** Creates a response with the unread body of another, which is not to be used any more. */
export function createResponseFrom(response: Response, init: ResponseInit): Response {
  return factory.createFrom(response, init)
}
