import { createHash } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import type { Client } from './adapter.js'

/** `Promise.withResolvers` of Node 22. */
export function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Creates a client for HTTP/1.1. `exchange` keeps one connection open. */
export function createHttp1Client(): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    httpVersion: 1,
    fetch: (url, init) => fetch(url, init),
    async exchange(url, options, requestBody) {
      const { response, body } = await exchange(url, { ...options, agent }, requestBody)
      return { status: response.statusCode ?? 0, headers: response.headers, body }
    },
    statusForHost: (url, host) => rawStatus(url, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    close: () => agent.destroy(),
  }
}

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
