import { folderWith } from '../../adapters/disk/testing/folder.js'
import { gradient } from '../../adapters/sharp/testing/crops.js'
import { type Answer, imageOf, startImgproxy } from '../imgproxy/imgproxy.js'

export { serviceKey } from '../imgproxy/imgproxy.js'

/** Bytes in place of a picture. No program between the service and the visitor decodes them. */
const original = Buffer.from('\x89PNG the picture, byte for byte \xff\x00', 'latin1')

/** The picture as AVIF. */
export const picture = imageOf('avif', original)

const send =
  (status: number, headers: Record<string, string> = {}, body = 'words of the service'): Answer =>
  (_, res) =>
    void res.writeHead(status, { 'Content-Type': 'text/plain', ...headers }).end(body)

/** How the service misbehaves for a source, by the name of its file. */
const answers: Record<string, Answer> = {
  '422.jpg': send(422),
  '429.jpg': send(429, { 'Retry-After': '7' }),
  '500.jpg': send(500),
  '503.jpg': send(503),
  'html.jpg': send(200, { 'Content-Type': 'text/html' }),
  'redirect.jpg': send(302, { Location: 'http://127.0.0.1:1/' }),
  'reset.jpg': (req) => void req.socket.destroy(),
  'hang.jpg': () => {},
  'stall.jpg': (_, res) => void res.writeHead(200, { 'Content-Type': 'image/jpeg' }).flushHeaders(),
}

/**
 * Starts an imgproxy with the pictures `fine.jpg`, `größe 2.jpg` and `gradient.png` (240 x 160 pixels), which
 * misbehaves as the name of another says.
 */
export async function startService() {
  const root = await folderWith({
    'media/fine.jpg': original,
    'media/größe 2.jpg': original,
    'media/gradient.png': await gradient({ width: 240, height: 160 }),
  })
  return await startImgproxy({ root, answers })
}
