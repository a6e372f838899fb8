import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect } from 'node:net'

/** `Promise.withResolvers` of Node 22. */
export function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Sends one request with Node's own client, which changes neither headers nor body. */
export function exchange(
  url: string,
  options: RequestOptions = {},
  requestBody?: Buffer,
): Promise<{ response: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ response, body: Buffer.concat(chunks) }))
    })
    request.on('error', reject).end(requestBody)
  })
}

/** Sends raw text and returns the status of the response. */
export async function rawStatus(url: string, text: string): Promise<number> {
  return Number((await rawExchange(url, text)).split(' ')[1])
}

/** Sends raw text and returns the raw response, until the server closes or is silent for 500 ms. */
export function rawExchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket
      .on('data', (chunk) => {
        received += chunk
      })
      .setTimeout(500, () => socket.destroy())
      .on('close', () => resolve(received))
      .on('error', reject)
  })
}
