import type { IncomingMessage } from 'node:http'
import { ReadableStream } from 'node:stream/web'
import { noteParsedBody } from '../../core/handler.js'

/**
 * The parts of an Express request that are read. They are the same in versions 4 and 5. Requests of Connect, which
 * Vite's servers use, and of Node's own `http` lack some of these parts.
 */
export interface ExpressRequest extends IncomingMessage {
  /** `'http'` or `'https'`. Reads `X-Forwarded-Proto` only when the app's `trust proxy` allows it. */
  protocol?: string | undefined
  /** Path and query as the client sent them, even below a mount path. Default: `req.url`. */
  originalUrl?: string | undefined
  /** The path that the app is mounted at. */
  baseUrl?: string | undefined
  /** Set by a body parser. */
  body?: unknown
}

/**
 * Returns the body that a parser has read from the stream, serialized again; `undefined` when the stream is unread. A
 * signature over the raw body can be verified only if `express.raw()` or a `rawBody` kept the original bytes.
 */
export function parsedBody(req: ExpressRequest): BodyInit | undefined {
  if (!req.readableDidRead) return undefined
  const { body } = req
  const rawBody = 'rawBody' in req ? req.rawBody : body
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return rawBody as BodyInit
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? '')
  const serialize = () => (isForm ? new URLSearchParams(toFields(body)).toString() : JSON.stringify(body))
  return noteParsedBody(ReadableStream.from(whenRead(() => (body === undefined ? '' : serialize())))) as BodyInit
}

/** Serializes the body only when it is read: few handlers read it, and deeply nested JSON exceeds the stack. */
async function* whenRead(serialize: () => string) {
  yield new TextEncoder().encode(serialize())
}

/**
 * Returns the names and values of a form. Parsers collect repeated fields in arrays, and `qs` collects fields with
 * brackets in objects.
 */
function toFields(value: unknown, name = ''): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((item) => toFields(item, name))
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => toFields(inner, name === '' ? key : `${name}[${key}]`))
}

type Trusts = (address: string | undefined, hop: number) => boolean

/**
 * Returns the URL that a visitor has requested: behind a proxy that an Express app trusts, the URL that the proxy
 * states. The app reads the body itself.
 */
export function requestedUrl({ headers, originalUrl, url = '/', socket }: ExpressRequest, app: object) {
  const { settings } = app as { settings?: { 'trust proxy fn'?: Trusts } }
  const isTrusted = settings?.['trust proxy fn']?.(socket.remoteAddress, 0) ?? false
  const stated = (name: string) => (isTrusted && `${headers[name] ?? ''}`.split(',', 1)[0]?.trim()) || undefined
  const protocol = stated('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http')
  const host = stated('x-forwarded-host')
  return { protocol, url: (host ? `${protocol}://${host}` : '') + (originalUrl ?? url), body: null }
}
