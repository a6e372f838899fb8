import { type ClientHttp2Session, type ClientHttp2Stream, connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { nodeListener } from './listener.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Handler = (request: Request) => Promise<Response>

async function startHttp2(handler: Handler, options = {}): Promise<string> {
  const server = createServer(options, nodeListener(handler, { onError: () => {} })).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Connects as a client that reads no body. */
async function connectUnreading(url: string, options = {}): Promise<ClientHttp2Session> {
  const session = connect(url, { settings: { initialWindowSize: 0 }, ...options }).on('error', () => {})
  closing.push(() => session.destroy())
  await new Promise((resolve) => session.once('connect', resolve))
  return session
}

/** Resolves to the status, or the code of the reset. */
const outcomeOf = (stream: ClientHttp2Stream) =>
  new Promise<string>((resolve) => {
    stream.once('response', (headers) => resolve(`status ${headers[':status']}`))
    stream.on('error', () => {}).once('close', () => resolve(`reset ${stream.rstCode}`))
  })

const refused = 'reset 7'

describe('streams of one HTTP/2 connection', () => {
  const askOften = async (session: ClientHttp2Session) => {
    const streams = Array.from({ length: 3_000 }, () => session.request({ ':path': '/page' }))
    const outcomes = await Promise.all(streams.map(outcomeOf))
    return {
      answered: outcomes.filter((outcome) => outcome === 'status 200').length,
      refused: outcomes.filter((outcome) => outcome === refused).length,
    }
  }

  test('beyond 128 are refused before the handler runs, also of a client that ignores the limit', async () => {
    let calls = 0
    const url = await startHttp2(async () => {
      calls++
      return new Response('page')
    })
    const session = await connectUnreading(url, { peerMaxConcurrentStreams: 10_000 })
    expect(await askOften(session)).toEqual({ answered: 128, refused: 2_872 })
    expect(calls).toBe(128)
  })

  test('are told to clients, which then wait: all get their page', async () => {
    const url = await startHttp2(async () => new Response('page'))
    const session = connect(url).on('error', () => {})
    closing.push(() => session.destroy())
    const limited = new Promise<void>((resolve) => {
      session.on('remoteSettings', (settings) => settings.maxConcurrentStreams === 128 && resolve())
    })
    expect(await outcomeOf(session.request({ ':path': '/' }).resume())).toBe('status 200')
    await limited
    const streams = Array.from({ length: 500 }, () => session.request({ ':path': '/' }).resume())
    expect(new Set(await Promise.all(streams.map(outcomeOf)))).toEqual(new Set(['status 200']))
  })

  test('are as many as the server itself allows', async () => {
    const url = await startHttp2(async () => new Response('page'), { settings: { maxConcurrentStreams: 300 } })
    const session = await connectUnreading(url)
    await new Promise<void>((resolve) => session.ping(() => resolve())) // the server has the acknowledgement
    const streams = Array.from({ length: 300 }, () => session.request({ ':path': '/' }))
    expect(new Set(await Promise.all(streams.map(outcomeOf)))).toEqual(new Set(['status 200']))
  })
})
