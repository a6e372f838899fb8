import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createVerifier, decodeSource } from '../../core/image/index.js'
import { listen } from '../adapter/listen.js'

export const serviceKey = { key: '736563726574', salt: '68656c6c6f' }

/** Bytes that stand for a picture; nobody between the service and the visitor decodes them. */
export const picture = Buffer.from('\x89PNG the picture, byte for byte \xff\x00', 'latin1')

const isSigned = createVerifier([serviceKey])
const pictureHeaders = {
  'Content-Length': String(picture.length),
  'Cache-Control': 'public, max-age=60',
  ETag: '"as-the-service-says"',
  Vary: 'Accept',
  'Set-Cookie': 'service=1',
}

// imgproxy looks for the bare words in Accept, whatever their quality is.
const typeFor = (accept = '') => ['image/avif', 'image/webp'].find((type) => accept.includes(type)) ?? 'image/jpeg'

type Answer = (req: IncomingMessage, res: ServerResponse) => void

const send =
  (status: number, headers: Record<string, string> = pictureHeaders): Answer =>
  (req, res) =>
    void res
      .writeHead(status, { 'Content-Type': typeFor(req.headers.accept), ...headers })
      .end(status === 304 ? undefined : picture)

/** What the service does about a source, by the name of its file. */
const answers: Record<string, Answer> = {
  'fine.jpg': (req, res) => send(req.headers['if-none-match'] === '"as-the-service-says"' ? 304 : 200)(req, res),
  '404.jpg': send(404),
  '422.jpg': send(422),
  '429.jpg': send(429, { 'Retry-After': '7' }),
  '500.jpg': send(500),
  '503.jpg': send(503),
  'html.jpg': send(200, { 'Content-Type': 'text/html' }),
  'redirect.jpg': send(302, { Location: 'http://127.0.0.1:1/' }),
  'reset.jpg': (req) => void req.socket.destroy(),
  'hang.jpg': () => {},
  'stall.jpg': (_, res) => void res.writeHead(200, { 'Content-Type': 'image/jpeg', ...pictureHeaders }).flushHeaders(),
}

/** Starts an imgproxy-compatible service that verifies signatures, and misbehaves as the name of a source says. */
export async function startService() {
  const seen: IncomingMessage['headers'][] = []
  const server = await listen(
    createServer((req, res) => {
      const [, signature = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(req.url ?? '') ?? []
      if (!isSigned(signature, path)) return send(403)(req, res)
      seen.push(req.headers)
      const source = decodeSource(path.split('/').at(-1) ?? '') ?? ''
      const answer = answers[source.split('/').at(-1) ?? ''] ?? send(404)
      answer(req, res)
    }),
  )
  return { ...server, seen }
}
