import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { expect, it } from 'vitest'
import { exchange, sha256, withResolvers } from './exchange.js'
import type { Adapter, Serve } from './suite.js'

/** What every adapter must do with bodies, large ones included. */
export function testRequestAndResponseBodies(
  serve: Serve,
  { hasParser, ownsConnection }: Pick<Adapter, 'hasParser' | 'ownsConnection'>,
): void {
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
}
