import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Adapter, Client, Serve } from './adapter.js'
import { sha256, withResolvers } from './exchange.js'

// Pieces of 64 KiB.
const total = 800
const megabytes = (total * 65_536) / 1e6

/** The part of the conformance suite about bodies, large ones included. */
export function testRequestAndResponseBodies(
  serve: Serve,
  { fetch, exchange }: Client,
  { hasParser, ownsConnection }: Pick<Adapter, 'hasParser' | 'ownsConnection'>,
): void {
  if (ownsConnection) {
    it('keeps the connection usable when a handler read only part of the body', async () => {
      const url = await serve(async (request) => {
        const reader = request.body?.getReader()
        await reader?.read()
        await reader?.cancel()
        return new Response('enough', { status: 413 })
      })
      for (let round = 0; round < 3; round++) {
        const { status } = await exchange(url, { method: 'POST' }, Buffer.alloc(300_000))
        expect(status).toBe(413)
      }
    })
  }

  it('passes a POST body byte for byte', async () => {
    const url = await serve(async (request) => new Response(sha256(Buffer.from(await request.arrayBuffer()))))
    const body = new Uint8Array(randomBytes(1_000_000))
    const response = await fetch(url, { method: 'POST', body })
    expect(await response.text()).toBe(sha256(body))
  })

  it('answers a POST whose body is not read', async () => {
    const url = await serve(async () => new Response('too large', { status: 413 }))
    const response = await fetch(url, { method: 'POST', body: new Uint8Array(100_000) })
    expect([response.status, await response.text()]).toEqual([413, 'too large'])
  })

  if (hasParser) {
    it.each([
      ['JSON', 'application/json', '{"tags":["a","ä"]}'],
      ['a form', 'application/x-www-form-urlencoded', 'a=1&b=%C3%A4'],
      ['text', 'text/plain', 'ä'],
    ])('passes %s that a parser has read', async (_, type, body) => {
      const url = await serve(async (request) => new Response(await request.text()), { parser: true })
      expect(await (await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body })).text()).toBe(body)
    })
  }

  it(`sends ${megabytes} MB no faster than the client reads`, async () => {
    const chunk = new Uint8Array(64 * 1024)
    let sentBytes = 0
    const url = await serve(async () => {
      const pull = (controller: ReadableStreamDefaultController) => {
        if (sentBytes++ < total) controller.enqueue(chunk)
        else controller.close()
      }
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
    })
    const reader = ((await fetch(url)).body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 300))
    // Only as many bytes as fit into the buffers of sockets and streams.
    expect(sentBytes * chunk.length).toBeLessThan(20_000_000)
    let received = 0
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) received += chunk.value.length
    expect(received).toBeGreaterThan((total - 2) * chunk.length)
  })

  it(`receives ${megabytes} MB no faster than the handler reads`, async () => {
    const { promise: mayRead, resolve: startReading } = withResolvers()
    const url = await serve(async (request) => {
      await mayRead
      let received = 0
      for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) received += chunk.length
      return new Response(String(received))
    })
    const chunk = new Uint8Array(64 * 1024)
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent < total) controller.enqueue(chunk)
        else controller.close()
        sent++
      },
    })
    const responded = fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent * chunk.length).toBeLessThan(20_000_000)
    startReading()
    expect(await (await responded).text()).toBe(String(total * chunk.length))
  })
}
