import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { createByteBudget } from '../../byte-budget.js'
import { setClient } from '../../held-reader.js'
import { memoryStore } from '../index.js'
import { cacheable, deferred, rest, startCache } from '../testing/harness.js'
import { type TeeBodyOptions, teeBody } from './body/tee-body.js'

const encoder = new TextEncoder()
const site = 'https://site.test/'

/** Creates a body that sends its pieces one by one, and may then fail or never end. */
function pieces(list: string[], end: 'close' | 'fail' | 'hang' = 'close') {
  const left = [...list]
  let cancelled = false
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        await rest(0)
        const piece = left.shift()
        if (piece !== undefined) controller.enqueue(encoder.encode(piece))
        else if (end === 'close') controller.close()
        else if (end === 'fail') controller.error(new Error('broken'))
        else await new Promise(() => {})
      },
      cancel() {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, wasCancelled: () => cancelled }
}

const endless = () => {
  let count = 0
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => {
        count++
        controller.enqueue(new Uint8Array(1000))
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, count: () => count }
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>
type Options = Partial<TeeBodyOptions<void>> & Pick<TeeBodyOptions<void>, 'maxBytes' | 'budget'>

/** Reads a body for one reader, and for more that may join. */
function tee(body: Body, options: Options) {
  const { signal } = new AbortController()
  const teed = teeBody<void>(body, { expectedLength: undefined, signal, onCollected: () => {}, ...options })
  return { ...teed, stream: teed.open(() => {}) as Body }
}

describe('a body', () => {
  it('streams to the first reader while it is stored', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(() => {
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue(encoder.encode('head '))
          await gate.promise
          controller.enqueue(encoder.encode('tail'))
          controller.close()
        },
      })
      return cacheable(stream)
    })
    const first = await cache.wrapped(new Request(site))
    const reader = first?.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('head ')
    const second = cache.get()
    gate.resolve()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('tail')
    expect((await reader?.read())?.done).toBe(true)
    expect(await second).toMatchObject({ body: 'head tail', cacheStatus: 'sitewright; fwd=uri-miss; collapsed' })
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('that fails midway is an error for its reader and is not stored', async () => {
    const cache = startCache()
    cache.serve(() => cacheable(pieces(['half'], 'fail').stream))
    await expect(cache.get()).rejects.toThrow('broken')
    cache.serve(() => cacheable('whole'))
    expect(await cache.get()).toMatchObject({ body: 'whole', cacheStatus: expect.stringContaining('uri-miss') })
  })

  it.each([
    ['less', '10'],
    ['more', '2'],
  ])('of %s than Content-Length is not stored', async (_, length) => {
    const cache = startCache()
    cache.serve(() => cacheable(pieces(['ab', 'cd']).stream, { 'Content-Length': length }))
    expect((await cache.get()).body).toBe('abcd')
    expect((await cache.get()).cacheStatus).toContain('uri-miss')
  })

  it('above maxBodyBytes is read at the pace of its reader', async () => {
    const cache = startCache({ maxBodyBytes: 10_000 })
    const { stream, count } = endless()
    cache.serve(() => cacheable(stream))
    const first = await cache.wrapped(new Request(site))
    await rest(20)
    expect(count()).toBeLessThan(20)
    const reader = first?.body?.getReader()
    for (let piece = 0; piece < 100; piece++) expect((await reader?.read())?.value).toHaveLength(1000)
    await rest()
    expect(count()).toBeLessThan(110)
    await reader?.cancel()
    cache.serve(() => cacheable(pieces(['small']).stream))
    expect((await cache.get()).body).toBe('small')
  })

  it('above maxBodyBytes is read along by those who came before that was known, and by nobody else', async () => {
    const cache = startCache({ maxBodyBytes: 3 })
    cache.serve(() => cacheable(pieces(['abc', 'def']).stream))
    const visit = async () => {
      const answers = await Promise.all([cache.get(), cache.get(), cache.get()])
      expect(answers.map(({ body }) => body)).toEqual(['abcdef', 'abcdef', 'abcdef'])
      return cache.asked.length
    }
    expect(await visit()).toBe(1)
    expect(await visit()).toBe(1 + 3)
    cache.serve(() => cacheable('abc'))
    // Measured, then collected again.
    for (let visit = 0; visit < 2; visit++) await Promise.all([cache.get(), cache.get()])
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('above maxBodyBytes is known as such also after readers have left it', async () => {
    const cache = startCache({ maxBodyBytes: 3 })
    cache.serve(() => cacheable(pieces(['abc', 'def']).stream))
    await cache.get()
    for (let reader = 0; reader < 3; reader++) {
      cache.serve(() => cacheable(pieces(['a'], 'hang').stream))
      const body = (await cache.wrapped(new Request(site)))?.body?.getReader()
      await body?.read()
      void body?.read()
      await rest()
      await body?.cancel()
      await rest()
    }
    cache.serve(() => cacheable(pieces(['abc', 'def']).stream))
    const asked = cache.asked.length
    await Promise.all([cache.get(), cache.get()])
    expect(cache.asked.length).toBe(asked + 2) // nobody reads along with another one
  })

  it.each([
    ['with its length', { 'Content-Length': '400' }],
    ['known from the last time', {}],
  ])('above maxBodyBytes, %s, aborts the handler when its reader leaves', async (_, headers) => {
    const cache = startCache({ maxBodyBytes: 3 })
    cache.serve(() => cacheable(pieces(['abc', 'def']).stream))
    await cache.get()
    cache.serve(() => cacheable(pieces(['abc'], 'hang').stream, headers))
    const visitor = new AbortController()
    const response = await cache.wrapped(new Request(site, { signal: visitor.signal }))
    const reader = response?.body?.getReader()
    await reader?.read()
    const { signal } = cache.asked.at(-1) as Request
    await rest()
    expect(signal.aborted).toBe(false)
    visitor.abort()
    await reader?.cancel().catch(() => {})
    await rest()
    expect(signal.aborted).toBe(true)
  })

  it.each([
    ['with its length', { 'Content-Length': '400' }],
    ['known from the last time', {}],
  ])('above maxBodyBytes, %s, takes no room from others', async (_, headers) => {
    const cache = startCache({ maxBodyBytes: 300, maxPendingBytes: 1_000 })
    cache.serve(() => cacheable(new Uint8Array(400), headers))
    await cache.get('/large')
    cache.serve(() => cacheable(new Uint8Array(310)))
    const slow = await cache.wrapped(new Request(`${site}slow`))
    await rest(1_100)
    cache.serve(() => cacheable(new Uint8Array(400), headers))
    // None of them reads yet.
    const large = await Promise.all(Array.from({ length: 5 }, () => cache.wrapped(new Request(`${site}large`))))
    await rest()
    const sizes = await Promise.all(
      [slow, ...large].map(async (response) => (await response?.arrayBuffer())?.byteLength),
    )
    expect(sizes).toEqual([310, 400, 400, 400, 400, 400])
  })

  it('whose Content-Length is above maxBodyBytes is waited for until its head is there', async () => {
    const cache = startCache({ maxBodyBytes: 3 })
    const { stream } = pieces(['abc'], 'hang')
    cache.serve(() => cacheable(stream, { 'Content-Length': '4' }))
    const first = cache.wrapped(new Request(site))
    const second = cache.get()
    cache.serve(() => cacheable('small'))
    await first
    expect((await second).body).toBe('small')
  })

  it('beyond maxPendingBytes is passed on without being stored', async () => {
    const cache = startCache({ maxPendingBytes: 5 })
    cache.serve(() => cacheable('abcdef'))
    expect([(await cache.get()).body, (await cache.get()).cacheStatus]).toEqual([
      'abcdef',
      expect.stringContaining('uri-miss'),
    ])
    cache.serve(() => cacheable('abcde'))
    for (let time = 0; time < 5; time++) await cache.get(`/${time}`)
    expect((await cache.get('/4')).cacheStatus).toContain('hit')
  })

  it('that never ends is aborted after refreshTimeout when its reader has the page already', async () => {
    const cache = startCache({ refreshTimeout: 20 })
    const cancel = vi.fn()
    cache.serve(() => cacheable(new ReadableStream({ cancel }), { ETag: '"a"' }))
    expect((await cache.get('/', { 'If-None-Match': '"a"' })).status).toBe(304)
    await expect.poll(() => cancel.mock.calls.length).toBe(1)
    expect(cache.asked[0]?.signal.aborted).toBe(true)
  })

  it('ages from its head on, however long it takes (RFC 9111, section 4.2.3)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache()
      const goOn = deferred()
      const end = deferred()
      const stream = () =>
        new ReadableStream({
          async start(controller) {
            controller.enqueue(encoder.encode('head '))
            await goOn.promise
            controller.enqueue(encoder.encode('tail'))
            await end.promise
            controller.close()
          },
        })
      cache.serve(() => cacheable(stream(), { Age: '10' }))
      const leader = cache.get()
      await vi.advanceTimersByTimeAsync(20_000)
      goOn.resolve()
      await vi.advanceTimersByTimeAsync(0)
      const follower = cache.get()
      await vi.advanceTimersByTimeAsync(5_000)
      end.resolve()
      expect([(await leader).headers.get('age'), (await follower).headers.get('age')]).toEqual(['10', '30'])
      const hit = await cache.get()
      expect([hit.headers.get('age'), hit.cacheStatus]).toEqual(['35', 'sitewright; hit; ttl=25'])
      // When it is stale it is of no use, since it has no validator that the handler knows.
      cache.pass(26)
      expect((await cache.get()).cacheStatus).toContain('uri-miss')
    } finally {
      vi.useRealTimers()
    }
  })

  it('that is stale before it is complete is rendered once more, not by each who asks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache()
      const controllers: ReadableStreamDefaultController[] = []
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(encoder.encode(`${cache.asked.length}`))
        controllers.push(controller)
      }
      cache.serve(() => cacheable(new ReadableStream({ start }), { 'Cache-Control': 's-maxage=5' }))
      const open = async () => (await cache.wrapped(new Request(site)))?.body?.getReader()
      const first = async () => new TextDecoder().decode((await (await open())?.read())?.value)
      const visits = async () => {
        const asked = [first(), first(), first()]
        await vi.advanceTimersByTimeAsync(500)
        return new Set(await Promise.all(asked))
      }
      expect(await visits()).toEqual(new Set(['1']))
      expect(await visits()).toEqual(new Set(['1']))
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await visits()).toEqual(new Set(['2']))
      // Nor once such a page is stored, when it is stale already.
      await vi.advanceTimersByTimeAsync(5_000)
      for (const controller of controllers) controller.close()
      await vi.advanceTimersByTimeAsync(0)
      expect(await visits()).toEqual(new Set(['3']))
    } finally {
      vi.useRealTimers()
    }
  })

  it('of a page that is always revalidated is not waited for', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { 'Cache-Control': 'no-cache', ETag: '"a"' }))
    await cache.get()
    const stuck = deferred<Response>()
    cache.serve(() => stuck.promise)
    const first = cache.get()
    await rest()
    cache.serve(() => cacheable('other', { 'Cache-Control': 'no-cache' }))
    expect((await cache.get()).body).toBe('other')
    stuck.resolve(cacheable('late'))
    expect((await first).body).toBe('late')
  })

  it('that takes longer than it is fresh is not stored', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache()
      const end = deferred()
      cache.serve(() =>
        cacheable(new ReadableStream({ pull: (controller) => end.promise.then(() => controller.close()) })),
      )
      const leader = cache.get()
      await vi.advanceTimersByTimeAsync(61_000)
      end.resolve()
      await leader
      expect(await cache.store.get(`${site}`)).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('that is null stays null', async () => {
    const cache = startCache()
    cache.serve(() => cacheable(null, {}, 204))
    await cache.get()
    const hit = await cache.wrapped(new Request(site))
    expect([hit?.status, hit?.body, hit?.headers.get('content-length')]).toEqual([204, null, null])
  })

  it('of any bytes and length is returned byte for byte to each reader', async () => {
    const cache = startCache()
    for (const [path, type] of [
      ['/a', 'image/avif'],
      ['/b', 'text/html'],
      ['/c', 'text/html'],
    ] as const) {
      const bytes = new Uint8Array(path === '/c' ? 1000 : 200_001).map((_, index) => (index * 7) % 256)
      cache.serve(() => cacheable(bytes, { 'Content-Type': type }))
      for (let time = 0; time < 3; time++) {
        const response = await cache.wrapped(new Request(new URL(path, site)))
        expect(Buffer.from((await response?.arrayBuffer()) as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true)
      }
    }
    const text = '\uFEFFä€\u{1f511}'
    cache.serve(() => cacheable(text, { 'Content-Type': 'text/html' }))
    await cache.get('/d')
    const response = await cache.wrapped(new Request(`${site}d`))
    expect(Buffer.from((await response?.arrayBuffer()) as ArrayBuffer).toString('hex')).toBe(
      Buffer.from(text).toString('hex'),
    )
  })

  it('that its reader does not read is held within maxPendingBytes, whether stored or not', async () => {
    const cache = startCache({ maxPendingBytes: 100_000, maxBodyBytes: 50_000 })
    let pulled = 0
    cache.serve(({ url }) => {
      let left = url.endsWith('large') ? 200 : 20
      const body = new ReadableStream({
        pull(controller) {
          pulled += 1000
          controller.enqueue(new Uint8Array(1000))
          if (--left === 0) controller.close()
        },
      })
      return cacheable(body)
    })
    const unread = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        cache.wrapped(new Request(`${site}${index}${index % 2 ? 'large' : ''}`)),
      ),
    )
    await rest(50)
    // Each stream holds a piece or two of its own.
    expect(pulled).toBeLessThan(100_000 + 100 * 4 * 1000)
    const bodies = await Promise.all(unread.map((response) => response?.arrayBuffer()))
    expect(bodies.map((body) => body?.byteLength)).toEqual(unread.map((_, index) => (index % 2 ? 200_000 : 20_000)))
    await cache.get('/one-more')
    expect((await cache.get('/one-more')).cacheStatus).toContain('hit')
  })

  it('costs no more than linear time in its pieces, and its pieces count as well as their bytes', async () => {
    const budget = createByteBudget(1_000_000)
    let left = 200_000
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        for (let count = 0; count < 1000; count++) controller.enqueue(new Uint8Array(1))
        left -= 1000
        if (left === 0) controller.close()
      },
    })
    const collected = vi.fn()
    const { stream } = tee(source, { maxBytes: 500_000, budget, onCollected: collected })
    await rest(20)
    expect((await new Response(stream).arrayBuffer()).byteLength).toBe(200_000)
    expect(collected).toHaveBeenCalledExactlyOnceWith(undefined, false, expect.any(Function))
    expect(budget.take(1_000_000)).toBe(true)
  })

  it('makes room by dropping the readers that have read nothing for two seconds, the longest one first', async () => {
    let now = 0
    const budget = createByteBudget(100, { clock: () => now })
    const collected = vi.fn()
    const collect = (text: string) =>
      tee(pieces([...text]).stream, { maxBytes: 100, budget, onCollected: collected }).stream
    const [stalled, slow] = [collect('a'.repeat(40)), collect('b'.repeat(40)).getReader()]
    await vi.waitFor(() => expect(collected).toHaveBeenCalledTimes(2), 20_000)
    await rest()
    now = 1_900
    await slow.read()
    expect(budget.hasRoom(50)).toBe(false)
    now = 2_100
    expect([budget.hasRoom(50), budget.hasRoom(70)]).toEqual([true, false])
    await expect(new Response(stalled).text()).rejects.toThrow('its reader was too slow')
    for (let count = 1; count < 40; count++) expect((await slow.read()).value).toHaveLength(1)
    expect([(await slow.read()).done, budget.take(100)]).toEqual([true, true])
  })

  it('is not lost for a reader whose client reads others first, for a minute', async () => {
    let now = 0
    let taken = 0
    const budget = createByteBudget(100, { clock: () => now })
    const onCollected = vi.fn()
    const open = (text: string) => tee(pieces([...text]).stream, { maxBytes: 100, budget, onCollected }).stream as Body
    const [waiting, stalled] = [open('a'.repeat(40)), open('b'.repeat(40))]
    setClient(waiting, { connection: {}, taken: () => taken })
    setClient(stalled, { connection: {}, taken: () => 0 })
    await vi.waitFor(() => expect(onCollected).toHaveBeenCalledTimes(2), 20_000)
    await rest()
    for (now = 2_000; now < 60_000; now += 2_000) {
      taken += 100_000
      expect([budget.hasRoom(50), budget.hasRoom(70)]).toEqual([true, false])
    }
    await expect(new Response(stalled).text()).rejects.toThrow('its reader was too slow')
    expect(await new Response(waiting).text()).toBe('a'.repeat(40))
    const hidden = open('c'.repeat(40))
    setClient(hidden, { connection: {}, taken: () => taken })
    await vi.waitFor(() => expect(onCollected).toHaveBeenCalledTimes(3), 20_000)
    await rest()
    now += 60_000
    taken += 100_000
    expect(budget.hasRoom(70)).toBe(true)
    await expect(new Response(hidden).text()).rejects.toThrow('its reader was too slow')
  })

  it.each([
    ['is there', false, (_: ReturnType<typeof startCache>, _page: number) => {}],
    [
      'was rendered again, and is the same',
      false,
      async (cache: ReturnType<typeof startCache>, page: number) => {
        cache.pass(10)
        await cache.invalidate(['document'])
        await cache.get(`/${page}`)
      },
    ],
    ['was evicted', true, (cache: ReturnType<typeof startCache>, page: number) => cache.store.delete(site + page)],
    [
      'was replaced',
      true,
      async (cache: ReturnType<typeof startCache>, page: number) => {
        await cache.invalidate(['document'])
        cache.serve(() => cacheable('other'))
        await cache.get(`/${page}`)
      },
    ],
  ])('of slow clients is read from the store, so that others are stored: %s', async (_, breaksOff, change) => {
    const size = 200_000
    const cache = startCache({ maxPendingBytes: 1_000_000 })
    cache.serve(({ url }) => cacheable(new Uint8Array(size).fill(Number(url.slice(site.length)))))
    const slow = await Promise.all(Array.from({ length: 4 }, (_, index) => cache.wrapped(new Request(site + index))))
    const readers = slow.map((response) => response?.body?.getReader())
    const first = await Promise.all(readers.map((reader) => reader?.read()))
    expect(first.map((part) => part?.value?.length)).toEqual([65_536, 65_536, 65_536, 65_536])
    await rest(1_100)
    for (let page = 10; page < 20; page++) {
      await cache.get(`/${page}`)
      expect((await cache.get(`/${page}`)).cacheStatus).toContain('hit')
    }
    for (let page = 0; page < 4; page++) await change(cache, page)
    const bodyOf = async (reader: (typeof readers)[number]) => {
      const parts: Uint8Array[] = []
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) parts.push(part.value)
      return Buffer.concat(parts)
    }
    const rests = await Promise.all(readers.map((reader) => bodyOf(reader).catch(() => 'error' as const)))
    // Some are still in memory.
    expect(rests.includes('error')).toBe(breaksOff)
    for (const [index, rest] of rests.entries()) {
      if (rest !== 'error') expect(rest.equals(Buffer.alloc(size - 65_536, index))).toBe(true)
    }
  })

  it('is read at the pace of its fastest reader, and while the budget is used up, of its slowest', async () => {
    let now = 0
    const budget = createByteBudget(100, { clock: () => now })
    let count = 0
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
      { pull: (controller) => controller.enqueue(new Uint8Array(10).fill(count++)) },
      { highWaterMark: 0 },
    )
    const { stream, open } = tee(source, { maxBytes: 40, budget })
    const [fast, slow, stalled] = [stream, open(() => {}) as Body, open(() => {}) as Body].map((body) =>
      body.getReader(),
    )
    const read = async (reader = fast) => (await reader?.read())?.value?.[0]
    // Four pieces are collected, the fifth is too much, and with the sixth the stalled one is too far behind.
    for (let piece = 0; piece < 6; piece++) expect([await read(), await read(slow)]).toEqual([piece, piece])
    await expect(read(stalled)).rejects.toThrow('its reader was too slow')
    // The budget has room for two more pieces, so the ninth waits until the slow one has read it.
    expect(budget.take(80)).toBe(true)
    for (let piece = 6; piece < 9; piece++) expect(await read()).toBe(piece)
    const tenth = read()
    await rest()
    expect(count).toBe(9)
    for (let piece = 6; piece < 9; piece++) expect(await read(slow)).toBe(piece)
    expect(await tenth).toBe(9)
    // A reader that reads nothing any more is not waited for.
    now = 2_100
    for (let piece = 10; piece < 20; piece++) expect(await read()).toBe(piece)
    await expect(read(slow)).rejects.toThrow('its reader was too slow')
    await fast?.cancel()
    expect(budget.take(20)).toBe(true)
  })

  describe('of which nobody has read 256 KiB yet', () => {
    const pieceBytes = 64 * 1024
    const count = 20
    /** A quarter of the budget is in use by others, and some bytes more. */
    const collect = (more: number, options: Partial<TeeBodyOptions<void>> = {}) => {
      const budget = createByteBudget(100 * pieceBytes)
      expect(budget.take(25 * pieceBytes + more)).toBe(true)
      let pulled = 0
      const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            if (pulled === count) controller.close()
            else controller.enqueue(new Uint8Array(pieceBytes).fill(pulled++))
          },
        },
        { highWaterMark: 0 },
      )
      const onCollected = vi.fn()
      const { stream, open } = tee(source, { maxBytes: count * pieceBytes, budget, onCollected, ...options })
      return { stream, open: () => open(() => {})?.getReader(), pulled: () => pulled, onCollected, budget }
    }

    it('is collected no further while a quarter of the budget is in use, for a second', async () => {
      const now = vi.spyOn(performance, 'now').mockReturnValue(0)
      const { open, pulled, onCollected } = collect(1)
      await rest(250)
      expect(pulled()).toBe(4)
      const second = open()
      for (let piece = 0; piece < 3; piece++) expect((await second?.read())?.value?.[0]).toBe(piece)
      await rest()
      expect(pulled()).toBe(7)
      await second?.cancel()
      await rest(250)
      expect(pulled()).toBe(7)
      now.mockReturnValue(1_000)
      await vi.waitFor(() => expect(onCollected.mock.calls[0]?.[0]).toHaveLength(count * pieceBytes))
      now.mockRestore()
    })

    it('is collected at once where less is in use, where others wait for all of it, and when its readers have left', async () => {
      const [spacious, awaited, left] = [
        collect(-count * pieceBytes),
        collect(1, { isAwaited: () => true }),
        collect(1),
      ]
      await rest()
      await left.stream.cancel()
      await rest()
      expect([spacious, awaited, left].map(({ pulled }) => pulled())).toEqual([count, count, count])
    })
  })

  it('is counted later where the budget had no room for a moment, and nobody waits for a slow reader then', async () => {
    const budget = createByteBudget(100)
    let count = 0
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: (controller) => (count === 9 ? controller.close() : controller.enqueue(new Uint8Array(10).fill(count++))),
      },
      { highWaterMark: 0 },
    )
    const { stream, open } = tee(source, { maxBytes: 20, budget })
    const [fast, slow] = [stream.getReader(), open(() => {})?.getReader()]
    for (let piece = 0; piece < 4; piece++) {
      expect((await fast.read()).value?.[0]).toBe(piece)
      expect((await slow?.read())?.value?.[0]).toBe(piece)
    }
    expect(budget.take(100)).toBe(true)
    expect((await fast.read()).value?.[0]).toBe(4)
    const next = fast.read()
    await rest()
    budget.release(100)
    // Without another read of the slow one.
    expect((await next).value?.[0]).toBe(5)
    for (let piece = 4; piece < 9; piece++) expect((await slow?.read())?.value?.[0]).toBe(piece)
  })

  it('is read by many within the budget, and each gets its own bytes', async () => {
    const budget = createByteBudget(100_000)
    const text = 'abcdefghij'.repeat(1000)
    const { stream, open } = tee(pieces(text.match(/.{1000}/g) ?? []).stream, { maxBytes: 20_000, budget })
    const streams = [stream, ...Array.from({ length: 50 }, () => open(() => {}) as Body)]
    const read = async (body: Body) => {
      let read = ''
      for await (const part of body) {
        read += new TextDecoder().decode(part)
        part.fill(0)
      }
      return read
    }
    expect(new Set(await Promise.all(streams.map(read)))).toEqual(new Set([text]))
    expect(budget.take(100_000)).toBe(true)
  })

  it('in one piece counts until the reader has read all of it', async () => {
    const bytes = new Uint8Array(1_000_000).map((_, index) => (index * 7) % 256)
    const budget = createByteBudget(bytes.length)
    const collected = vi.fn()
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes)
        controller.close()
      },
    })
    const reader = tee(body, { maxBytes: bytes.length, budget, onCollected: collected }).stream.getReader()
    await vi.waitFor(() => expect(collected).toHaveBeenCalledOnce(), 20_000)
    const read: Uint8Array[] = []
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      expect(budget.hasRoom(1)).toBe(read.reduce((sum, { length }) => sum + length, part.value.length) === bytes.length)
      expect(part.value.buffer.byteLength).toBe(part.value.length)
      read.push(part.value)
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
  })

  it('of which it is known that it cannot be stored is not called stored', async () => {
    const cache = startCache({ maxBodyBytes: 50, maxPendingBytes: 60 })
    cache.serve(() => cacheable(pieces(['x'.repeat(51)]).stream, { 'Content-Length': '51' }))
    expect((await cache.get('/large')).cacheStatus).toBe('sitewright; fwd=uri-miss; fwd-status=200')
    cache.serve(() => cacheable(pieces(['x'.repeat(51)]).stream))
    const statuses = [(await cache.get('/again')).cacheStatus, (await cache.get('/again')).cacheStatus]
    expect(statuses.map((status) => status.endsWith('stored'))).toEqual([true, false])
    let page = 0
    let unread: Response | undefined
    const statusOfNext = async () => {
      cache.serve(() => cacheable(pieces(['x'.repeat(40)]).stream, { 'Content-Length': '40' }))
      return (await cache.get(`/${page++}`)).cacheStatus
    }
    // Each time another one that is not read: after five seconds, which a busy machine may take, it no longer counts.
    await vi.waitFor(async () => {
      await unread?.body?.cancel()
      cache.serve(() => cacheable(pieces(['x'.repeat(25), 'x'.repeat(25), 'x'], 'hang').stream))
      unread = await cache.wrapped(new Request(`${site}unread-${page}`))
      await rest()
      expect(await statusOfNext()).toBe('sitewright; fwd=uri-miss; fwd-status=200')
    }, 20_000)
    await unread?.body?.cancel()
    await vi.waitFor(async () => {
      expect(await statusOfNext()).toBe('sitewright; fwd=uri-miss; fwd-status=200; stored')
    }, 20_000)
  })

  it('releases its budget, however it ends', async () => {
    const budget = createByteBudget(100)
    const stop = new AbortController()
    const collect = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) =>
      tee(stream, { maxBytes: 50, budget, signal: stop.signal })
    await new Response(collect(pieces(['abc']).stream).stream).text()
    await new Response(collect(pieces(['abc'], 'fail').stream).stream).text().catch(() => {})
    await new Response(collect(pieces(['x'.repeat(60)]).stream).stream).text()
    collect(pieces(['abc'], 'hang').stream)
    stop.abort()
    await rest()
    expect([budget.take(100), budget.take(1)]).toEqual([true, false])
  })
})

describe('a client that disconnects', () => {
  const start = (wrapped: ReturnType<typeof startCache>['wrapped']) => {
    const controller = new AbortController()
    const answer = wrapped(new Request(site, { signal: controller.signal }))
    answer.catch(() => {})
    return { answer, leave: () => controller.abort(new Error('left')) }
  }

  it('before the head does not end the render of the others', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('page')
    })
    const first = start(cache.wrapped)
    const second = cache.get()
    await rest()
    first.leave()
    await expect(first.answer).rejects.toThrow('left')
    expect(cache.asked[0]?.signal.aborted).toBe(false)
    gate.resolve()
    expect((await second).body).toBe('page')
    expect(cache.asked).toHaveLength(1)
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('during the body does not end it for the others', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(() =>
      cacheable(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(encoder.encode('a'))
            await gate.promise
            controller.enqueue(encoder.encode('b'))
            controller.close()
          },
        }),
      ),
    )
    const first = await cache.wrapped(new Request(site))
    const second = cache.get()
    await rest()
    await first?.body?.cancel()
    gate.resolve()
    expect((await second).body).toBe('ab')
  })

  it('while nobody else waits lets the render go on, for those to come', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('page')
    })
    const first = start(cache.wrapped)
    await rest()
    first.leave()
    await expect(first.answer).rejects.toThrow('left')
    const second = cache.get()
    await rest()
    gate.resolve()
    expect([(await second).body, (await cache.get()).cacheStatus, cache.asked.length]).toEqual([
      'page',
      expect.stringContaining('hit'),
      1,
    ])
    expect(cache.asked[0]?.signal.aborted).toBe(false)
  })

  it('during the body lets it go on, too, and what turns out not to be stored is cancelled', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(() =>
      cacheable(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(encoder.encode('a'))
            await gate.promise
            controller.enqueue(encoder.encode('b'))
            controller.close()
          },
        }),
      ),
    )
    const first = await cache.wrapped(new Request(site))
    await first?.body?.cancel()
    gate.resolve()
    await vi.waitFor(async () => expect((await cache.get()).cacheStatus).toContain('hit'), 20_000)
    expect([(await cache.get()).body, cache.asked.length]).toEqual(['ab', 1])

    const { stream, wasCancelled } = pieces(['a'], 'hang')
    const head = deferred()
    cache.serve(async () => {
      await head.promise
      return new Response(stream, { headers: { 'Cache-Control': 'no-store' } })
    })
    const second = start((request) => cache.wrapped(new Request(`${site}other`, request)))
    await rest()
    second.leave()
    head.resolve()
    await vi.waitFor(() => expect(wasCancelled()).toBe(true), 20_000)
  })

  it('while nobody else waits aborts the render after refreshTimeout, even if somebody has come and left again', async () => {
    const cache = startCache({ refreshTimeout: 30 })
    const wait = deferred<Response>()
    cache.serve(() => wait.promise)
    for (const client of [start(cache.wrapped), start(cache.wrapped)]) {
      await rest()
      client.leave()
      await expect(client.answer).rejects.toThrow('left')
    }
    await vi.waitFor(() => expect(cache.asked[0]?.signal.aborted).toBe(true), 20_000)
    expect(cache.asked).toHaveLength(1)
    wait.resolve(cacheable('too late'))
  })

  it('of a page for one client only aborts the render', async () => {
    const cache = startCache()
    cache.serve(() => new Promise(() => {}))
    const controller = new AbortController()
    const headers = { Authorization: 'Basic eA==' }
    cache.wrapped(new Request(site, { headers, signal: controller.signal })).catch(() => {})
    await rest()
    controller.abort()
    await rest()
    expect(cache.asked[0]?.signal.aborted).toBe(true)
  })

  it('while nobody else waits aborts the render when too many go on already, and nothing is stored', async () => {
    const cache = startCache({ maxBackgroundRenders: 0 })
    cache.serve(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const first = start(cache.wrapped)
    await rest()
    first.leave()
    await rest()
    expect(cache.asked[0]?.signal.aborted).toBe(true)

    const { stream, wasCancelled } = pieces(['a'], 'hang')
    cache.serve(() => cacheable(stream))
    const second = await cache.wrapped(new Request(site))
    await second?.body?.cancel()
    await rest()
    expect(wasCancelled()).toBe(true)
    cache.serve(() => cacheable('whole'))
    expect((await cache.get()).body).toBe('whole')
  })

  it('while waiting for another render does not affect that render', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('page')
    })
    const first = cache.get()
    await rest()
    const second = start(cache.wrapped)
    await rest()
    second.leave()
    await expect(second.answer).rejects.toThrow('left')
    gate.resolve()
    expect((await first).body).toBe('page')
  })

  it('from a response that is not stored aborts it', async () => {
    const cache = startCache()
    cache.serve(() => new Response(pieces([], 'hang').stream))
    const { answer, leave } = start(cache.wrapped)
    await answer
    leave()
    expect(cache.asked[0]?.signal.aborted).toBe(true)
  })
})

describe('single flight', () => {
  it('renders once for many', async () => {
    const cache = startCache()
    cache.serve(async () => {
      await rest()
      return cacheable('page')
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get()))
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['page']))
    expect(cache.asked).toHaveLength(1)
  })

  const fails = (request: Request) => request.headers.get('cookie') === '%'
  it.each([
    ['throws', () => Promise.reject(new Error('malformed cookie'))],
    ['answers 500', async () => new Response('malformed cookie', { status: 500 })],
  ])('does not share what one request leads to when the handler %s', async (_, fail) => {
    const cache = startCache()
    cache.serve(async (request) => {
      await rest(20)
      return fails(request) ? fail() : cacheable('page')
    })
    const visit = (path: string, cookie: string) =>
      cache.get(path, { cookie }).then(({ status, body }) => (status === 200 ? body : ''))
    const visits = (path: string, cookies: string[]) =>
      Promise.all(cookies.map((cookie) => visit(path, cookie).catch(() => '')))
    expect(await visits('/', ['%', 'a=1', 'b=2', 'c=3'])).toEqual(['', 'page', 'page', 'page'])
    expect(cache.asked).toHaveLength(2)
    expect(await visits('/other', ['%', '%', 'a=1', 'b=2'])).toEqual(['', '', 'page', 'page'])
  })

  it('forms one new render after a failure, and renders for each after the second', async () => {
    const cache = startCache()
    cache.serve(async () => {
      await rest()
      throw new Error('down')
    })
    const answers = await Promise.allSettled([cache.get(), cache.get(), cache.get()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(cache.asked).toHaveLength(3)
    cache.serve(() => cacheable('up'))
    expect((await cache.get()).body).toBe('up')
  })

  it.each([502, 503, 504])('shares a %s at once, with its Retry-After and nothing personal', async (status) => {
    const cache = startCache()
    const headers = { 'Retry-After': '7', 'Cache-Control': 'no-store', 'Content-Type': 'application/json' }
    cache.serve(async () => {
      await rest(20)
      return new Response('{"error":"busy"}', { status, headers })
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get()))
    expect(cache.asked).toHaveLength(1)
    for (const answer of answers) {
      expect(answer).toMatchObject({ status, body: '{"error":"busy"}' })
      expect(answer.headers.get('retry-after')).toBe('7')
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    cache.serve(async ({ headers }) => {
      await rest(20)
      const own = { 'Retry-After': '9', 'Cache-Control': 'private', 'Set-Cookie': 'id=1' }
      return new Response(`for ${headers.get('cookie')}`, { status, headers: own })
    })
    const [first, second] = await Promise.all(['a', 'a'].map((cookie) => cache.get('/private', { cookie })))
    expect(first).toMatchObject({ status, body: 'for a' })
    expect(second).toMatchObject({ status, body: '' })
    expect(second?.headers.get('retry-after')).toBe('9')
    expect(second?.headers.get('set-cookie')).toBeNull()
  })

  it('does not let one request make others fail by an error that only it leads to', async () => {
    const cache = startCache()
    cache.serve(async ({ headers }) => {
      await rest(10)
      const isTooLong = (headers.get('cookie') ?? '').length > 1000
      return isTooLong ? new Response(null, { status: 502 }) : cacheable('page')
    })
    const attack = 'x'.repeat(5000)
    const visits = [attack, attack, 'a=1', '', 'b=2'].map((cookie) => cache.get('/', cookie ? { cookie } : {}))
    const answers = await Promise.all(visits)
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 200, 200, 200])
  })

  it.each(['user-agent', 'accept-language', 'referer', 'x-forwarded-for'])(
    'shares no body of an error with a request of another %s',
    async (name) => {
      const cache = startCache()
      const stated: Record<string, string>[] = [{ 'Cache-Control': 'no-store' }, { 'CDN-Cache-Control': 'private' }, {}]
      for (const [index, own] of stated.entries()) {
        cache.serve(async ({ headers }) => {
          await rest(20)
          return new Response(`for ${headers.get(name)}`, { status: 503, headers: own })
        })
        const visits = ['a', 'a', 'b'].map((value) => cache.get(`/${index}`, { [name]: value }))
        const answers = await Promise.all(visits)
        expect(answers.map(({ status, body }) => [status, body])).toEqual([
          [503, 'for a'],
          [503, 'for a'],
          [503, ''],
        ])
        expect(cache.asked).toHaveLength(index + 1)
      }
    },
  )

  it('shares no body of an error with a request of another client', async () => {
    const cache = startCache()
    cache.serve(async ({ headers }) => {
      await new Promise((resolve) => setTimeout(resolve, 1_010))
      return new Response(`for ${headers.get('cookie')}`, { status: 503, headers: { 'Retry-After': '3' } })
    })
    const visitors = Array.from({ length: 20 }, (_, number) => ({ cookie: `id=${number}` }))
    const [first, ...others] = await Promise.all([{}, ...visitors].map((headers) => cache.get('/', headers)))
    expect(first?.body).toBe('for null')
    for (const other of others) expect(other).toMatchObject({ status: 503, body: '' })
    for (const other of others) expect(other.headers.get('retry-after')).toBe('3')
    expect(cache.asked).toHaveLength(1)
    // What only a cookie may have led to is tried once more.
    const answers = await Promise.all(visitors.map((headers) => cache.get('/cookies', headers)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    expect(answers.filter(({ body }) => body !== '')).toHaveLength(2)
    expect(cache.asked).toHaveLength(3)
  })

  it('does not let a slow error of one client be that of all', async () => {
    const cache = startCache()
    cache.serve(async ({ headers }) => {
      if (headers.get('cookie') !== 'slow') return cacheable('page')
      await new Promise((resolve) => setTimeout(resolve, 1_010))
      return new Response('timeout', { status: 504 })
    })
    const cookies = ['slow', 'a', 'b', 'c', '']
    const answers = await Promise.all(cookies.map((cookie) => cache.get('/', cookie ? { cookie } : {})))
    expect(answers.map(({ status }) => status)).toEqual([504, 200, 200, 200, 200])
    expect(cache.asked).toHaveLength(2)
  })

  it('does not count requests that were aborted as failures of the page', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    for (let time = 0; time < 7; time++) {
      const client = new AbortController()
      const visit = cache.get('/', { authorization: 'x' }, { signal: client.signal }).catch(() => {})
      await rest(1)
      client.abort()
      await visit
    }
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(() => cacheable('2'))
    await cache.get()
    await vi.waitFor(async () => expect((await cache.get()).body).toBe('2'), 20_000)
  })

  it('shares a 503 only with requests that select it', async () => {
    const cache = startCache()
    cache.serve(async ({ headers }) => {
      await rest(10)
      return new Response(headers.get('accept-language'), { status: 503, headers: { Vary: 'Accept-Language' } })
    })
    const visit = async (language: string) => (await cache.get('/', { 'accept-language': language })).body
    expect(await Promise.all(['de', 'en', 'de'].map(visit))).toEqual(['de', 'en', 'de'])
  })

  it('counts joinTimeout from the first render, also when that failed and another began', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache({ joinTimeout: 100 })
      cache.serve(() => new Promise((_, reject) => setTimeout(reject, 60, new Error('down'))))
      cache.get().catch(() => {})
      for (let count = 0; count < 2; count++) cache.get().catch(() => {})
      await vi.advanceTimersByTimeAsync(0)
      cache.serve(() => new Promise(() => {}))
      await vi.advanceTimersByTimeAsync(90)
      expect(cache.asked).toHaveLength(2) // the first, and one of those who waited for it
      await vi.advanceTimersByTimeAsync(11)
      expect(cache.asked).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('never shares a private response, and stops joining requests for its URL', async () => {
    const cache = startCache()
    cache.serve(async ({ headers }) => {
      await rest(10)
      return new Response(headers.get('cookie'), { headers: { 'Cache-Control': 'private' } })
    })
    const visit = () => Promise.all(['a', 'b', 'c'].map(async (cookie) => (await cache.get('/', { cookie })).body))
    expect(await visit()).toEqual(['a', 'b', 'c'])
    const asked = cache.asked.length
    const again = visit()
    await rest(1)
    expect(cache.asked).toHaveLength(asked + 3)
    expect(await again).toEqual(['a', 'b', 'c'])
  })

  it('begins another render each joinTimeout, not one for each who waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache({ joinTimeout: 100 })
      const wait = deferred<Response>()
      cache.serve(async () => (await wait.promise).clone())
      const visits = Array.from({ length: 50 }, () => cache.get())
      await vi.advanceTimersByTimeAsync(250)
      expect(cache.asked).toHaveLength(3)
      wait.resolve(cacheable('page'))
      await vi.advanceTimersByTimeAsync(100)
      expect(new Set((await Promise.all(visits)).map(({ body }) => body))).toEqual(new Set(['page']))
      expect(cache.asked).toHaveLength(3)

      cache.serve(() => new Promise(() => {}))
      for (let count = 0; count < 50; count++) cache.get('/hangs')
      await vi.advanceTimersByTimeAsync(599)
      expect(cache.asked).toHaveLength(3 + 6)
    } finally {
      vi.useRealTimers()
    }
  })

  it('of 200 who wait for a page that hangs, lets at most twice as many render after each joinTimeout, and all in the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache({ joinTimeout: 100 })
      cache.serve(() => new Promise(() => {}))
      for (let count = 0; count < 200; count++) cache.get()
      let running = 1
      for (let rounds = 0; rounds < 12; rounds++) {
        await vi.advanceTimersByTimeAsync(100)
        expect(cache.asked.length).toBeLessThanOrEqual(Math.max(2 * running, 2))
        running = cache.asked.length
      }
      expect(running).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it('lets a visitor through the requests of a stranger that hang, however many', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache({ joinTimeout: 100 })
      cache.serve(({ headers }) => (headers.has('x-slow') ? new Promise(() => {}) : cacheable('page')))
      for (let count = 0; count < 200; count++) cache.get('/', { 'x-slow': '1' }).catch(() => {})
      const visit = cache.get()
      await vi.advanceTimersByTimeAsync(1_200)
      expect((await visit).body).toBe('page')
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits no longer than joinTimeout', async () => {
    const cache = startCache({ joinTimeout: 20 })
    cache.serve(() => new Promise(() => {}))
    cache.get().catch(() => {})
    await rest()
    cache.serve(() => cacheable('page'))
    expect((await cache.get()).body).toBe('page')
  })

  it('waits no longer than joinTimeout for a body that has paused, and reads it along where it goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const cache = startCache({ joinTimeout: 500 })
      const goOn = deferred()
      const paused = () =>
        cacheable(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(encoder.encode('page'))
              await goOn.promise
              controller.close()
            },
          }),
        )
      cache.serve(paused)
      const early = [cache.get(), cache.get()]
      await vi.advanceTimersByTimeAsync(1_000)
      const late = [cache.get(), cache.get()]
      await vi.advanceTimersByTimeAsync(400)
      expect(cache.asked).toHaveLength(1)
      cache.serve(() => cacheable('other'))
      await vi.advanceTimersByTimeAsync(100)
      expect((await Promise.all(late)).map(({ body }) => body)).toEqual(['other', 'other'])
      expect(cache.asked).toHaveLength(2)
      goOn.resolve()
      await vi.advanceTimersByTimeAsync(1)
      expect((await Promise.all(early)).map(({ body }) => body)).toEqual(['page', 'page'])

      const resume = deferred()
      cache.serve(() => cacheable(new ReadableStream({ pull: (to) => resume.promise.then(() => to.close()) })))
      const first = cache.get('/2')
      await vi.advanceTimersByTimeAsync(1_000)
      const second = cache.get('/2')
      await vi.advanceTimersByTimeAsync(100)
      resume.resolve()
      await vi.advanceTimersByTimeAsync(1)
      expect([(await first).body, (await second).body]).toEqual(['', ''])
      expect(cache.asked).toHaveLength(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not wait for a refresh that hangs', async () => {
    const cache = startCache({ refreshTimeout: 20 })
    await cache.get()
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(() => new Promise(() => {}))
    expect((await cache.get()).body).toBe('1')
    await rest(40)
    expect(cache.asked.at(-1)?.signal.aborted).toBe(true)
    await cache.invalidate(['document'])
    cache.serve(() => cacheable('2'))
    expect((await cache.get()).body).toBe('2')
  })
})

describe('listeners on the signal of a request', () => {
  const endings: [string, (response: Response | undefined) => Promise<unknown>][] = [
    ['was read', async (response) => response?.text()],
    ['was cancelled', async (response) => response?.body?.cancel()],
    ['failed', async (response) => response?.text().catch(() => {})],
  ]
  const responses: [string, (end: 'close' | 'fail') => Response][] = [
    ['is stored', (end) => cacheable(pieces(['a', 'b'], end).stream)],
    ['is private', (end) => new Response(pieces(['a', 'b'], end).stream, { headers: { 'Cache-Control': 'private' } })],
    ['is a 503', (end) => new Response(pieces(['a', 'b'], end).stream, { status: 503 })],
    ['is a 500', (end) => new Response(pieces(['a', 'b'], end).stream, { status: 500 })],
    ['has no body', () => new Response(null, { headers: { 'Cache-Control': 'private' } })],
  ]
  it.each(responses.flatMap(([kind, create]) => endings.map(([ending, end]) => [kind, ending, create, end] as const)))(
    'are gone once a response that %s %s',
    async (_, ending, create, end) => {
      const cache = startCache()
      let handlerSignal: AbortSignal | undefined
      cache.serve((request) => {
        handlerSignal = request.signal
        return create(ending === 'failed' ? 'fail' : 'close')
      })
      const { signal } = new AbortController()
      const request = Object.defineProperty(new Request(site), 'signal', { value: signal })
      await end(await cache.wrapped(request))
      await rest()
      expect(getEventListeners(signal, 'abort')).toEqual([])
      expect(handlerSignal && getEventListeners(handlerSignal, 'abort')).toEqual([])
    },
  )

  it('are gone once a request that joined a render was answered', async () => {
    const cache = startCache()
    cache.serve(async () => {
      await rest(10)
      return cacheable('page')
    })
    const { signal } = new AbortController()
    const request = Object.defineProperty(new Request(site), 'signal', { value: signal })
    const first = cache.get()
    await (await cache.wrapped(request))?.text()
    await first
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

it('the end of a body waits for no store that hangs', async () => {
  const store = memoryStore({ maxBytes: 1e6 })
  const cache = startCache({ store: { ...store, set: () => new Promise(() => {}) }, storeTimeout: 100_000 })
  cache.serve(() => cacheable('page'))
  expect(await cache.get()).toMatchObject({ body: 'page', cacheStatus: expect.stringContaining('stored') })
})
