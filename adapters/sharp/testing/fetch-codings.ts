// Serves originals with every content coding, size and pace over sockets, asks the image proxy for each over a socket,
// and prints the statuses that visitors get, by kind of coding. An error without a listener ends the process.
import { createServer, get } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createImages } from '../../../core/image/index.js'
import { nodeListener } from '../../node/index.js'
import { sharpService } from '../service.js'
import { startRawOrigin } from './origin.js'

// Names that are no coding, which browsers ignore.
const ignored = ['aws-chunked', 'utf-8', 'base64', ',', 'x-unknown', '__proto__', 'constructor', 'identity,identity']
const registered = [
  ...['zstd', 'compress', 'gzip,gzip', 'gzip, br', 'gzip,', ', gzip', 'gzip\r\nContent-Encoding: gzip'],
  ...['br;q=1', 'gzip', 'deflate', 'br', 'aws-chunked, gzip'],
]
const codings = [...ignored, ...registered]
const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251))
const bodies = [Buffer.alloc(0), noise.subarray(0, 1_000), gzipSync(noise).subarray(0, 5_000)]

/** How a body is sent after its head. */
type Pace = (socket: Socket, head: string, body: Buffer) => Promise<unknown>

const paces: Pace[] = [
  async (socket, head, body) => socket.end(Buffer.concat([Buffer.from(head), body])),
  async (socket, head, body) => {
    socket.write(head)
    await setImmediate()
    socket.end(body)
  },
  async (socket, head, body) => {
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)]))
    await setTimeout(5)
    socket.resetAndDestroy()
  },
  // and never ends
  async (socket, head, body) => socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, -1)])),
]

const origin = await startRawOrigin((socket, request) => {
  const [, coding, body, pace] = /^GET \/(\d+)\/(\d+)\/(\d+)/.exec(request) ?? []
  const bytes = bodies[Number(body)] as Buffer
  const head = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: ${codings[Number(coding)]}\r\nContent-Length: ${bytes.length}\r\n\r\n`
  void paces[Number(pace)]?.(socket, head, bytes)
})
const sources = { [`${origin.origin}/`]: true } as const
const options = { allowNetworks: ['127.0.0.0/8'], sourceTimeout: 30_000, concurrency: 32, log: () => {} }
const { handler, loader } = createImages({ sources, service: sharpService(options), log: () => {} })

const site: Server = createServer(nodeListener(handler)).listen(0, '127.0.0.1')
await new Promise((resolve) => site.once('listening', resolve))
const statusOf = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const request = { port: (site.address() as AddressInfo).port, path, agent: false }
    get(request, (res) => void res.resume().on('end', () => resolve(res.statusCode ?? 0))).on('error', reject)
  })

const statuses = { ignored: new Set<number>(), registered: new Set<number>() }
for (const [coding, name] of codings.entries()) {
  // A body that is read and never ends takes until the time limit.
  const ending = ignored.includes(name) ? paces.slice(0, -1) : paces
  const paths = bodies.flatMap((_, body) => ending.map((_, pace) => `${origin.origin}/${coding}/${body}/${pace}`))
  const answers = await Promise.all(paths.map((src) => statusOf(loader({ src, width: 32 }))))
  for (const status of answers) statuses[ignored.includes(name) ? 'ignored' : 'registered'].add(status)
}
// Exchanges that have not ended yet may still fail.
await setTimeout(200)
site.close()
origin.stop()
process.stdout.write(JSON.stringify(statuses, (_, value) => (value instanceof Set ? [...value].sort() : value)))
