import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect } from 'node:net'

/** A promise, and how to settle it: `Promise.withResolvers` of Node 22. */
export function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** One exchange that no client library tidies up. */
export function exchange(
  url: string,
  options: RequestOptions = {},
  sent?: Buffer,
): Promise<{ response: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => resolve({ response, body: Buffer.concat(pieces) }))
    })
    request.on('error', reject).end(sent)
  })
}

export async function rawStatus(url: string, text: string): Promise<number> {
  return Number((await rawExchange(url, text)).split(' ')[1])
}

/** What comes back for a text, until the server closes or has nothing more to say. */
export function rawExchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket
      .on('data', (piece) => {
        answer += piece
      })
      .setTimeout(500, () => socket.destroy())
      .on('close', () => resolve(answer))
      .on('error', reject)
  })
}
