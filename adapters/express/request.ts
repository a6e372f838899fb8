import type { IncomingMessage } from 'node:http'

/**
 * The part of Express' request that is read, the same in versions 4 and 5. Connect, such as Vite's servers, and Node's own
 * `http` lack some of it.
 */
export interface ExpressRequest extends IncomingMessage {
  /** `'http'` or `'https'`. Reads `X-Forwarded-Proto` only when the app's `trust proxy` allows it. */
  protocol?: string | undefined
  /** Path and query as the client sent them, also below a mount path. Default: `req.url`. */
  originalUrl?: string | undefined
  /** Set by a body parser. */
  body?: unknown
}

/**
 * Returns the body that a parser has read from the stream, serialized again; `undefined` when the stream is unread. A
 * signature over the raw body can be verified only with the bytes that `express.raw()` or a `rawBody` kept.
 */
export function parsedBody(req: ExpressRequest): BodyInit | undefined {
  if (!req.readableDidRead) return undefined
  const { body } = req
  const rawBody = 'rawBody' in req ? req.rawBody : body
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return rawBody as BodyInit
  if (body === undefined) return ''
  return /urlencoded/i.test(req.headers['content-type'] ?? '')
    ? toForm(body as Record<string, string | readonly string[]>)
    : JSON.stringify(body)
}

/** Parsers collect repeated fields in lists. */
function toForm(fields: Readonly<Record<string, string | readonly string[]>>): string {
  const form = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, String(value)]))
  return new URLSearchParams(form).toString()
}
