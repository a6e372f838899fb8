import { createHash, randomBytes } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { RouteHandler } from '../../core/handler.js'

export interface RunningServer {
  /** Origin, such as `http://127.0.0.1:41234`. */
  url: string
  close(): Promise<void>
}

export interface ServerSetup {
  handler: RouteHandler
  /** Path that the handler is mounted at, such as `/mounted`. Default: the root. */
  mount?: string
  /** Puts the server's own body parser in front, where it has one. */
  parser?: boolean
}

export interface Adapter {
  name: string
  /** Starts a real server on a free port, with the handler and, behind it, a route that answers `next` at any path. */
  start(setup: ServerSetup): Promise<RunningServer>
  /** Whether the server has body parsers that take the body off the stream. */
  hasParser?: boolean
  /** Whether the connection is in the adapter's hands; a runtime of another's has its own ways. Default true. */
  ownsConnection?: boolean
}

/** What every adapter must do, over a real socket. */
export function testAdapter({ name, start, hasParser = false, ownsConnection = true }: Adapter): void {
  describe(name, () => {
    let running: RunningServer | undefined
    afterEach(async () => {
      await running?.close()
      running = undefined
    })

    const serve = async (handler: RouteHandler, options: Omit<ServerSetup, 'handler'> = {}) => {
      running = await start({ handler, ...options })
      return running.url
    }

    it('sends a binary body byte for byte, with its status and headers', async () => {
      const bytes = new Uint8Array(randomBytes(300_000))
      const url = await serve(async () => new Response(bytes, { status: 203, headers: { 'X-A': 'ä', ETag: '"1"' } }))
      const response = await fetch(url)
      expect([response.status, response.headers.get('x-a'), response.headers.get('etag')]).toEqual([203, 'ä', '"1"'])
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    })

    it('keeps two cookies apart', async () => {
      const headers = new Headers()
      headers.append('Set-Cookie', 'a=1; Expires=Sat, 21 Nov 2026 00:00:00 GMT')
      headers.append('Set-Cookie', 'b=2')
      const url = await serve(async () => new Response('', { headers }))
      expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1; Expires=Sat, 21 Nov 2026 00:00:00 GMT', 'b=2'])
    })

    it('sends a 304 without a body', async () => {
      const url = await serve(async () => new Response(null, { status: 304, headers: { ETag: '"1"' } }))
      const { response, body } = await exchange(url)
      expect([response.statusCode, response.headers.etag, body.length]).toEqual([304, '"1"', 0])
      expect(response.headers['transfer-encoding']).toBeUndefined()
    })

    it('passes HEAD on and sends no body', async () => {
      const url = await serve(
        async ({ method }) => new Response('12345', { headers: { 'X-Method': method, 'Content-Length': '5' } }),
      )
      const { response, body } = await exchange(url, { method: 'HEAD' })
      expect([
        response.statusCode,
        response.headers['x-method'],
        response.headers['content-length'],
        body.length,
      ]).toEqual([200, 'HEAD', '5', 0])
    })

    it('gives the whole URL, as the client sent it, under a mounted path', async () => {
      const url = await serve(async (request) => new Response(request.url), { mount: '/mounted' })
      for (const path of ['/mounted/a%20b/%C3%A4%2Fc?x=1&x=%20&y', '/mounted/..%2f', '/mounted//double']) {
        expect(await (await fetch(url + path)).text()).toBe(url + path)
      }
    })

    it('gives the headers as they came, repeated ones joined', async () => {
      const url = await serve(async ({ headers }) => Response.json([headers.get('x-a'), headers.get('authorization')]))
      const { body } = await exchange(url, {
        headers: ['Host', new URL(url).host, 'X-A', '1', 'X-A', '2', 'Authorization', 'A', 'Authorization', 'B'],
      })
      expect(JSON.parse(body.toString())).toEqual(['1, 2', 'A, B'])
    })

    it('does not believe forwarding headers', async () => {
      const url = await serve(async (request) => new Response(request.url))
      const headers = { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.test' }
      expect(await (await fetch(`${url}/a`, { headers })).text()).toBe(`${url}/a`)
    })

    it('goes on to the next handler on undefined', async () => {
      const url = await serve(async () => undefined)
      expect(await (await fetch(url)).text()).toBe('next')
    })

    it('answers 500 when the handler throws, and goes on serving', async () => {
      const url = await serve(async (request) => {
        if (request.url.endsWith('/throw')) throw new Error('thrown on purpose')
        return new Response('fine')
      })
      const failed = await fetch(`${url}/throw`)
      expect(failed.status).toBe(500)
      expect(await (await fetch(url)).text()).toBe('fine')
    })

    it('breaks the transfer off when the body fails midway, and goes on serving', async () => {
      const url = await serve(async (request) => {
        if (!request.url.endsWith('/break')) return new Response('fine')
        let pieces = 0
        const body = new ReadableStream({
          async pull(controller) {
            if (pieces++ < 3) return controller.enqueue(new Uint8Array(1000))
            // What was written is to reach the client before the socket goes down.
            await new Promise((resolve) => setTimeout(resolve, 50))
            controller.error(new Error('broken on purpose'))
          },
        })
        return new Response(body)
      })
      const response = await fetch(`${url}/break`)
      expect(response.status).toBe(200)
      await expect(response.arrayBuffer()).rejects.toThrow()
      expect(await (await fetch(url)).text()).toBe('fine')
    })

    it('aborts the request’s signal when the client leaves before the response', async () => {
      const { promise: aborted, resolve } = withResolvers()
      const { promise: arrived, resolve: arrive } = withResolvers()
      const url = await serve((request) => {
        request.signal.addEventListener('abort', resolve)
        arrive()
        return aborted.then(() => new Response('too late'))
      })
      const leaving = new AbortController()
      const left = fetch(url, { signal: leaving.signal }).catch(() => 'left')
      await arrived
      leaving.abort()
      expect(await left).toBe('left')
      await aborted
    })

    it('cancels the body when the client leaves in the middle of it', async () => {
      const { promise: cancelled, resolve } = withResolvers()
      const url = await serve(
        async () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1000)), cancel: resolve })),
      )
      const leaving = new AbortController()
      const response = await fetch(url, { signal: leaving.signal })
      await response.body?.getReader().read()
      leaving.abort()
      await cancelled
    })

    it('does not abort the signal of a request that was answered', async () => {
      let signal: AbortSignal | undefined
      const url = await serve(async (request) => {
        signal = request.signal
        return new Response('done')
      })
      await (await fetch(url, { headers: { Connection: 'close' } })).text()
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(signal?.aborted).toBe(false)
    })

    if (ownsConnection) {
      it('goes on with the connection when a handler read only a part of the body', async () => {
        const url = await serve(async (request) => {
          const reader = request.body?.getReader()
          await reader?.read()
          await reader?.cancel()
          return new Response('enough', { status: 413 })
        })
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        for (let round = 0; round < 3; round++) {
          const { response } = await exchange(url, { method: 'POST', agent }, Buffer.alloc(300_000))
          expect(response.statusCode).toBe(413)
        }
        agent.destroy()
      })
    }

    it('passes a POST body on byte for byte', async () => {
      const url = await serve(async (request) => new Response(sha256(Buffer.from(await request.arrayBuffer()))))
      const body = new Uint8Array(randomBytes(1_000_000))
      const response = await fetch(url, { method: 'POST', body })
      expect(await response.text()).toBe(sha256(body))
    })

    it('answers a POST whose body nobody reads', async () => {
      const url = await serve(async () => new Response('refused', { status: 413 }))
      const response = await fetch(url, { method: 'POST', body: new Uint8Array(100_000) })
      expect([response.status, await response.text()]).toEqual([413, 'refused'])
    })

    if (hasParser) {
      it.each([
        ['JSON', 'application/json', '{"tags":["a","ä"]}'],
        ['a form', 'application/x-www-form-urlencoded', 'a=1&b=%C3%A4'],
        ['text', 'text/plain', 'ä'],
      ])('passes %s on that a parser has read', async (_, type, body) => {
        const url = await serve(async (request) => new Response(await request.text()), { parser: true })
        expect(await (await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body })).text()).toBe(body)
      })
    }

    it('sends 100 MB no faster than the client reads', async () => {
      const piece = new Uint8Array(64 * 1024)
      const total = 1600
      let sent = 0
      const url = await serve(async () => {
        const pull = (controller: ReadableStreamDefaultController) => {
          if (sent++ < total) controller.enqueue(piece)
          else controller.close()
        }
        return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
      })
      const reader = ((await fetch(url)).body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      await new Promise((resolve) => setTimeout(resolve, 300))
      // What lies in buffers between the two: sockets and streams, but not the body.
      expect(sent * piece.length).toBeLessThan(20_000_000)
      let received = 0
      for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.length
      expect(received).toBeGreaterThan((total - 2) * piece.length)
    })

    it('takes 100 MB no faster than the handler reads', async () => {
      const { promise: reading, resolve: read } = withResolvers()
      const url = await serve(async (request) => {
        await reading
        let received = 0
        for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) received += piece.length
        return new Response(String(received))
      })
      const piece = new Uint8Array(64 * 1024)
      let sent = 0
      const body = new ReadableStream({
        pull(controller) {
          if (sent < 1600) controller.enqueue(piece)
          else controller.close()
          sent++
        },
      })
      const answered = fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(sent * piece.length).toBeLessThan(20_000_000)
      read()
      expect(await (await answered).text()).toBe(String(1600 * piece.length))
    })

    it.each(['evil.test/path', 'user@evil.test', 'a b', 'evil.test?x', 'evil.test#x', '[::1'])(
      'answers 400 to the Host %j',
      async (host) => {
        const url = await serve(async (request) => new Response(request.url))
        expect(await rawStatus(url, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toBe(400)
      },
    )
  })
}

function withResolvers() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** One exchange that no client library tidies up. */
function exchange(
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

async function rawStatus(url: string, text: string): Promise<number> {
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
