import type { ExpressRequest } from './index.js'

/**
 * The body that a parser took off the stream before us, as bytes or text again; `undefined` when the stream is still
 * unread. A signature over the raw body can be checked only on what `express.raw()` or a `rawBody` kept.
 */
export function parsedBody(req: ExpressRequest): BodyInit | undefined {
  if (!req.readableDidRead) return undefined
  const { body } = req
  const rawBody = 'rawBody' in req ? req.rawBody : body
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return rawBody as BodyInit
  if (body === undefined) return ''
  return /urlencoded/i.test(req.headers['content-type'] ?? '')
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body)
}
