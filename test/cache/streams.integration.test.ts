import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../core/cache/index.js'
import { listen } from '../adapter/listen.js'

// Several clients of one page while it is streamed, over sockets.

const encoder = new TextEncoder()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface Stream {
  request: Request
  send(text: string | Uint8Array<ArrayBuffer>): void
  close(): void
  fail(): void
}

/** Starts a server whose pages the test streams. The test receives the renders in order. */
async function startSite(options: Partial<ResponseCacheOptions> = {}, headers: Record<string, string> = {}) {
  const streams: Stream[] = []
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 50_000_000 }), log: () => {}, ...options })
  const handler = cache.wrap(async (request) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(streamController) {
        controller = streamController
      },
    })
    streams.push({
      request,
      send: (text) => controller?.enqueue(typeof text === 'string' ? encoder.encode(text) : text),
      close: () => controller?.close(),
      fail: () => controller?.error(new Error('render failed')),
    })
    return new Response(request.method === 'HEAD' ? null : body, {
      headers: { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'page', 'Content-Type': 'text/html', ...headers },
    })
  })
  const server = await listen(nodeListener(handler, { onError: () => {} }))
  ends.push(() => server.close())
  const nextStream = async (number = 1) => {
    await vi.waitFor(() => expect(streams.length).toBeGreaterThanOrEqual(number), 20_000)
    return streams[number - 1] as Stream
  }
  return { ...cache, url: server.url, streams, nextStream }
}

/** Asks for a page and waits for the first bytes of its body. */
async function open(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const reader = response.body?.getReader()
  const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
  const first = decode((await reader?.read())?.value)
  return {
    response,
    first,
    async rest() {
      let text = ''
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += decode(part.value)
      return text
    },
  }
}

/** Asks for a page and reads nothing of its body. */
async function openUnread(url: string): Promise<IncomingMessage> {
  const request = httpGet(url, { agent: false })
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  message.pause()
  ends.push(() => message.destroy())
  return message
}

const collapsed = 'sitewright; fwd=uri-miss; collapsed'

describe('those who ask for a page while it is streamed', () => {
  it('visitors who join a stream read it from its first byte, long before it is complete', async () => {
    const site = await startSite()
    const leading = open(site.url)
    const stream = await site.nextStream()
    stream.send('head ')
    const leader = await leading
    // Their first bytes arrive, although the render continues only afterwards.
    const followers = await Promise.all(Array.from({ length: 5 }, () => open(site.url)))
    stream.send('middle ')
    const late = await open(site.url)
    stream.send('tail')
    stream.close()
    expect(leader.first + (await leader.rest())).toBe('head middle tail')
    for (const follower of [...followers, late]) {
      expect(follower.response.headers.get('cache-status')).toBe(collapsed)
      expect(follower.first + (await follower.rest())).toBe('head middle tail')
    }
    expect(site.streams).toHaveLength(1)
    expect((await fetch(site.url)).headers.get('cache-status')).toContain('hit')
  })

  it('visitors of one stream share one render, even if it takes longer than joinTimeout', async () => {
    const site = await startSite({ joinTimeout: 200 })
    const leading = open(site.url)
    const stream = await site.nextStream()
    stream.send('head ')
    await leading
    const followers = await Promise.all(Array.from({ length: 49 }, () => open(site.url)))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const late = await open(site.url)
    stream.send('tail')
    stream.close()
    const texts = await Promise.all([leading, ...followers, late].map(async (visit) => (await visit).rest()))
    expect(new Set(texts).size).toBeLessThanOrEqual(2) // whether what was sent arrives in one part or in two
    expect(site.streams).toHaveLength(1)
  })

  it('if a render fails midway, all transfers are broken off, and the next visitor starts a new render', async () => {
    const site = await startSite()
    const leading = open(site.url)
    const stream = await site.nextStream()
    stream.send('half')
    const visits = [await leading, await open(site.url), await open(site.url)]
    stream.fail()
    for (const visit of visits) await expect(visit.rest()).rejects.toThrow('terminated')
    const nextVisit = open(site.url)
    const second = await site.nextStream(2)
    second.send('whole')
    second.close()
    expect((await nextVisit).first).toBe('whole')
  })

  it('visitors get no bytes of a render that began before a purge', async () => {
    const site = await startSite()
    const leading = open(site.url)
    const stream = await site.nextStream()
    stream.send('old')
    await leading
    const earlyVisit = await open(site.url)
    await site.invalidate(['page'])
    const laterVisit = open(site.url)
    const second = await site.nextStream(2)
    second.send('new')
    expect([earlyVisit.first, (await laterVisit).first]).toEqual(['old', 'new'])
    second.close()
    await (await laterVisit).rest()
    stream.close()
    await earlyVisit.rest()
    expect(await (await fetch(site.url)).text()).toBe('new')
  })

  it('visitors of a page that varies share one render per variant', async () => {
    const site = await startSite({ fields: { 'Accept-Language': true } }, { Vary: 'Accept-Language' })
    const visit = (language: string) => open(site.url, { 'accept-language': language })
    const german = visit('de')
    const first = await site.nextStream()
    first.send('de')
    await german
    const english = visit('en')
    const second = await site.nextStream(2)
    second.send('en')
    await english
    const laterVisits = await Promise.all(['de', 'en', 'en', 'de', 'en'].map(visit))
    expect(laterVisits.map((visit) => visit.first)).toEqual(['de', 'en', 'en', 'de', 'en'])
    second.close()
    await (await english).rest()
    first.close()
    await (await german).rest()
    expect(site.streams.map(({ request }) => request.headers.get('accept-language'))).toEqual(['de', 'en'])
    const stored = await Promise.all(['de', 'en'].map(visit))
    expect(stored.map((visit) => visit.first)).toEqual(['de', 'en'])
    expect(site.streams).toHaveLength(2)
  })

  it('during a stream, the handler itself answers HEAD and range requests', async () => {
    const site = await startSite()
    const leading = open(site.url)
    const stream = await site.nextStream()
    stream.send('01234')
    await leading
    const head = await fetch(site.url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const ranged = open(site.url, { range: 'bytes=1-2' })
    const second = await site.nextStream(3)
    expect([site.streams[1]?.request.method, second.request.headers.get('range')]).toEqual(['HEAD', 'bytes=1-2'])
    second.send('its own')
    expect((await ranged).first).toBe('its own')
    second.close()
    stream.close()
    await (await leading).rest()
    const part = await fetch(site.url, { headers: { range: 'bytes=1-2' } })
    expect([part.status, await part.text()]).toEqual([206, '12'])
  })

  it('visitors who have the page get a 304 as soon as the head of the stream arrives', async () => {
    const site = await startSite({}, { ETag: '"a"' })
    const leading = open(site.url)
    const stream = await site.nextStream()
    stream.send('head')
    await leading
    const conditional = await fetch(site.url, { headers: { 'if-none-match': '"a"' } })
    expect([conditional.status, conditional.headers.get('cache-status')]).toEqual([304, collapsed])
    stream.close()
    await (await leading).rest()
    expect(site.streams).toHaveLength(1)
  })
})

describe('a client that leaves while it is streamed', () => {
  const leave = async (url: string, stream: () => Promise<Stream>) => {
    const client = new AbortController()
    const response = fetch(url, { signal: client.signal })
    ;(await stream()).send('head ')
    await (await response).body?.getReader().read()
    client.abort()
  }

  it('a client that leaves a stream does not end the stream for others', async () => {
    const site = await startSite()
    await leave(site.url, site.nextStream)
    const stream = await site.nextStream()
    const follower = await open(site.url)
    await leave(site.url, async () => stream)
    stream.send('tail')
    stream.close()
    expect(follower.first + (await follower.rest())).toBe('head head tail')
    expect(stream.request.signal.aborted).toBe(false)
  })

  it('a stream that its only client leaves continues for later visitors, unless 32 already continue', async () => {
    const site = await startSite()
    for (let page = 0; page <= 32; page++) await leave(`${site.url}/${page}`, () => site.nextStream(page + 1))
    const [first, last] = [site.streams[0], site.streams[32]]
    await vi.waitFor(() => expect(last?.request.signal.aborted).toBe(true), 20_000)
    expect(first?.request.signal.aborted).toBe(false)
    first?.send('tail')
    first?.close()
    expect(await (await fetch(`${site.url}/0`)).text()).toBe('head tail')
    expect(site.streams).toHaveLength(33)
  })
})

describe('a client that does not read', () => {
  const megabyte = new Uint8Array(1_000_000)

  it('a client that does not read delays nobody, whether it came first or not', async () => {
    const site = await startSite({ maxBodyBytes: 40_000_000 })
    const leading = openUnread(site.url)
    const stream = await site.nextStream()
    stream.send(megabyte.slice())
    await leading
    await openUnread(site.url)
    const reading = fetch(site.url).then((response) => response.arrayBuffer())
    for (let count = 1; count < 20; count++) stream.send(megabyte.slice())
    stream.close()
    expect((await reading).byteLength).toBe(20_000_000)
    expect((await fetch(site.url)).headers.get('cache-status')).toContain('hit')
    expect(site.streams).toHaveLength(1)
  })

  it('a client that does not read is disconnected when it is maxBodyBytes behind the others', async () => {
    const site = await startSite({ maxBodyBytes: 2_000_000 })
    const leading = openUnread(site.url)
    const stream = await site.nextStream()
    stream.send(megabyte.slice())
    const unread = [await leading, await openUnread(site.url)]
    const broken = unread.map((message) => once(message, 'error'))
    const reading = await open(site.url)
    for (let count = 1; count < 40; count++) stream.send(megabyte.slice())
    stream.close()
    expect(reading.first.length + (await reading.rest()).length).toBe(40_000_000)
    for (const message of unread) message.resume()
    for (const [error] of await Promise.all(broken)) expect(error).toMatchObject({ message: 'aborted' })
    expect(site.streams).toHaveLength(1)
  })
})

describe('a page that is known not to be stored', () => {
  it('nobody waits for the render of a page that is known to be too large to store', async () => {
    const site = await startSite({ maxBodyBytes: 3 })
    const first = open(site.url)
    const stream = await site.nextStream()
    stream.send('large')
    await first
    // Each visitor has a separate render, although no render has answered yet.
    const otherVisits = [open(site.url), open(site.url)]
    for (const stream of [await site.nextStream(2), await site.nextStream(3)]) stream.send('large')
    expect((await Promise.all(otherVisits)).map((visit) => visit.first)).toEqual(['large', 'large'])
    for (const each of site.streams) each.close()
    for (const visit of [first, ...otherVisits]) await (await visit).rest()
  })
})
