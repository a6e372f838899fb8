// An image service that answers every request with the same image of 30 KB.
import { randomFillSync } from 'node:crypto'
import { createServer } from 'node:http'

const image = randomFillSync(Buffer.alloc(30_000))
const headers = {
  'Content-Type': 'image/webp',
  'Content-Length': image.length,
  'Cache-Control': 'public, max-age=31536000',
  ETag: '"image"',
}
createServer({ keepAliveTimeout: 60_000 }, (_, res) => res.writeHead(200, headers).end(image)).listen(
  process.env.PORT,
  '127.0.0.1',
)
