import { createServer, type Server } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listenHttp2 } from '../../test/adapter/http2.js'
import { createImageProxy } from '../imgproxy/testing/proxy.js'
import { nodeListener } from './listener.js'
import { createUpstreamFetch } from './upstream.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const pathOf = (name: string) => `/_image/${Buffer.from(`/media/${name}.jpg`).toString('base64url')}?width=640`

/**
 * Starts a service whose images have `imageBytes`, and the proxy in front of it. Its visitors come over HTTP/2, where
 * nothing is sent to a visitor who does not read: over HTTP/1, the operating system would buffer some megabytes.
 */
async function start(imageBytes: number) {
  const image = Buffer.alloc(imageBytes, 'x')
  const finished = vi.fn()
  const service: Server = createServer((_, res) => {
    res.once('finish', finished)
    res.setHeader('Content-Type', 'image/jpeg').setHeader('Content-Length', image.length).end(image)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => service.once('listening', resolve))
  const upstream = createUpstreamFetch()
  const proxy = createImageProxy({
    serviceUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    key: '00',
    salt: '00',
    sources: ['/media/'],
    fetch: upstream,
    log: () => {},
  })
  const site = await listenHttp2(nodeListener(proxy, { onError: () => {} }))
  closing.push(
    () => service.close(),
    () => service.closeAllConnections(),
    () => upstream.close(),
    site.close,
  )
  let session: ClientHttp2Session | undefined
  let requestCount = 0
  return {
    /** Called when the service has sent an image. */
    finished,
    /** Asks for an image, on a connection that up to 100 visitors share, and reads nothing of the image. */
    async ask(name: string, isAlone = false): Promise<ClientHttp2Stream> {
      if (isAlone || requestCount++ % 100 === 0 || !session) {
        const opened = connect(site.url).on('error', () => {})
        closing.push(() => opened.destroy())
        session = opened
      }
      return session.request({ ':path': pathOf(name) }).on('error', () => {})
    },
  }
}

const statusOf = (stream: ClientHttp2Stream) =>
  new Promise<number>((resolve, reject) => {
    stream.once('response', (headers) => resolve(headers[':status'] ?? 0)).once('close', () => reject(stream.rstCode))
  })

/** Returns how many bytes a visitor gets; rejects when the transfer is broken off. */
const readBytes = (stream: ClientHttp2Stream) =>
  new Promise<number>((resolve, reject) => {
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    stream.on('end', () => resolve(length)).on('error', reject)
  })

describe('visitors who do not read', () => {
  test.each([
    ['small', 30_000, 100],
    ['large', 600_000, 50],
    ['even larger', 8_000_000, 10],
  ])('visitors who do not read %s images hold no connection to the service', async (_, bytes, count) => {
    const { ask, finished } = await start(bytes)
    const visitors = await Promise.all(Array.from({ length: count }, (_, number) => ask(`${number}`)))
    expect(new Set(await Promise.all(visitors.map(statusOf)))).toEqual(new Set([200]))
    await vi.waitFor(() => expect(finished).toHaveBeenCalledTimes(count), 20_000)
    expect(await readBytes(await ask('last', true))).toBe(bytes)
    // The slow visitors get their images, too, as soon as they read.
    expect(await Promise.all(visitors.map(readBytes))).toEqual(visitors.map(() => bytes))
  })

  test('visitors who do not read do not prevent slow readers from getting their image', async () => {
    const { ask } = await start(10_000_000)
    const slow = await ask('slow')
    let length = 0
    for await (const chunk of slow) {
      length += (chunk as Buffer).length
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(length).toBe(10_000_000)
  })
})
