import { describe, expect, it, vi } from 'vitest'
import { type CollectOptions, collect } from './collect.js'
import { deferred, rest } from './testing/harness.js'

/** Collects a body whose pieces the test sends. */
function start(overrides: Partial<CollectOptions> = {}) {
  let controller = {} as ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
  const pulled = vi.fn()
  const cancelled = vi.fn()
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(created) {
        controller = created
      },
      pull: pulled,
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  )
  const aborter = new AbortController()
  const room = { left: 1_000_000 }
  const onCollected = vi.fn<CollectOptions['onCollected']>(async () => {})
  const options = {
    maxBytes: 1_000,
    room,
    idleTimeout: 10_000,
    storeTime: 250,
    expectedLength: undefined,
    onCollected,
    ...overrides,
  }
  const collected = collect(source, { ...options, signal: aborter.signal })
  return {
    ...collected,
    room,
    onCollected,
    pulled,
    cancelled,
    abort: (reason: Error) => aborter.abort(reason),
    send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    enqueue: (piece: unknown) => controller.enqueue(piece as never),
    end: () => controller.close(),
    fail: (error: Error) => controller.error(error),
  }
}

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** Reads a stream piece by piece. */
function read(stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined) {
  const reader = stream?.getReader()
  return {
    next: async () => decode((await reader?.read())?.value),
    async all() {
      let text = ''
      for (;;) {
        const piece = await reader?.read()
        if (!piece || piece.done) return text
        text += decode(piece.value)
      }
    },
    leave: () => reader?.cancel(),
  }
}

describe('a body that is collected', () => {
  it('a collected body streams to its first reader immediately, and to later readers from its first byte on', async () => {
    const body = start()
    const first = read(body.open(() => {}))
    body.send('one ')
    expect(await first.next()).toBe('one ')
    const joined = read(body.open(() => {}))
    expect(await joined.next()).toBe('one ')
    body.send('two')
    body.end()
    expect([await first.all(), await joined.all()]).toEqual(['two', 'two'])
    expect(decode(body.onCollected.mock.calls[0]?.[0])).toBe('one two')
    expect(body.onCollected).toHaveBeenCalledOnce()
  })

  it('a collected body does not wait for its readers', async () => {
    const body = start()
    body.open(() => {})
    for (let piece = 0; piece < 50; piece++) body.send('0123456789')
    body.end()
    await rest()
    expect(body.onCollected.mock.calls[0]?.[0]).toHaveLength(500)
  })

  it('each reader of a collected body gets its own copy of the bytes', async () => {
    const body = start()
    const [first, second] = [body.open(() => {})?.getReader(), body.open(() => {})?.getReader()]
    body.send('page')
    const piece = (await first?.read())?.value
    piece?.fill(0)
    expect(decode((await second?.read())?.value)).toBe('page')
    body.end()
    await first?.read()
    expect(decode(body.onCollected.mock.calls[0]?.[0])).toBe('page')
  })

  it('a collected body ends for its readers when it is stored, or a quarter of a second later', async () => {
    for (const isStored of [true, false]) {
      const stored = deferred()
      const body = start({ onCollected: () => stored.promise })
      const reader = read(body.open(() => {}))
      const ended = vi.fn()
      const reading = reader.all().then(ended)
      body.send('page')
      body.end()
      await rest(50)
      expect(ended).not.toHaveBeenCalled()
      if (isStored) stored.resolve()
      await reading
      expect(ended).toHaveBeenCalledWith('page')
    }
  })

  it.each([
    ['fails', 60_000, (body: ReturnType<typeof start>) => body.fail(new Error('broken')), 'broken'],
    ['is silent for too long', 30, () => {}, 'not done within 30 ms'],
    [
      'sends something other than bytes',
      60_000,
      (body: ReturnType<typeof start>) => body.enqueue(7),
      'a stream of bytes',
    ],
  ])('a body that %s ends for all readers, and is not stored', async (_, idleTimeout, end, error) => {
    const body = start({ idleTimeout })
    const readers = [read(body.open(() => {})), read(body.open(() => {}))]
    body.send('pa')
    await rest(1)
    end(body)
    for (const reader of readers) await expect(reader.all()).rejects.toThrow(error)
    expect(body.onCollected.mock.calls).toEqual([[undefined, 'broken-off']])
  })

  it('a body that is shorter than its Content-Length is not stored', async () => {
    const body = start({ expectedLength: 5 })
    const reader = read(body.open(() => {}))
    body.send('page')
    body.end()
    expect(await reader.all()).toBe('page')
    expect(body.onCollected.mock.calls).toEqual([[undefined, 'broken-off']])
  })

  it('an aborted body does not count as a failure of the page', async () => {
    const body = start()
    const reader = read(body.open(() => {}))
    body.send('pa')
    await rest(1)
    body.abort(new Error('left'))
    await expect(reader.all()).rejects.toThrow('left')
    expect(body.onCollected.mock.calls).toEqual([[undefined, undefined]])
    await vi.waitFor(() => expect(body.cancelled).toHaveBeenCalled(), 20_000)
  })

  it('one-byte pieces are counted with the memory that they take', async () => {
    const body = start({ maxBytes: 1_000_000 })
    body.begin()
    for (let piece = 0; piece < 10_000; piece++) body.send('x')
    await rest()
    expect(body.onCollected.mock.calls).toEqual([[undefined, 'store']])
    await vi.waitFor(() => expect(body.room.left).toBe(1_000_000), 20_000)
  })
})

describe('a body that is too large', () => {
  it('a body that is too large is read at the pace of its fastest reader, who gets all of it', async () => {
    const body = start({ maxBytes: 10 })
    const reader = read(body.open(() => {}))
    body.send('more than ten bytes ')
    await rest(1)
    expect(body.onCollected.mock.calls).toEqual([[undefined, 'too-large']])
    const pulled = body.pulled.mock.calls.length
    await rest()
    expect(body.pulled.mock.calls.length).toBe(pulled)
    expect(await reader.next()).toBe('more than ten bytes ')
    body.send('and more')
    body.end()
    expect(await reader.all()).toBe('and more')
    expect(body.open(() => {})).toBeUndefined()
  })

  it('a reader who is more than maxBytes behind is cut off, and slows down no other reader', async () => {
    const body = start({ maxBytes: 10 })
    const onEnd = vi.fn()
    const [fast, slow, stalled] = [read(body.open(() => {})), read(body.open(() => {})), read(body.open(onEnd))]
    for (const text of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']) {
      body.send(text)
      expect(await fast.next()).toBe(text)
      expect(await slow.next()).toBe(text)
    }
    await expect(stalled.all()).rejects.toThrow('response body: cut off, since its reader was too slow')
    expect(onEnd).toHaveBeenCalledOnce()
    body.end()
    expect([await fast.all(), await slow.all()]).toEqual(['', ''])
  })

  it('without room, a reader who is more than an eighth of maxBytes behind is cut off', async () => {
    const body = start({ maxBytes: 80, room: { left: -1 } })
    const [fast, stalled] = [read(body.open(() => {})), read(body.open(() => {}))]
    for (const text of ['aaaaaaaa', 'bbbbbbbb']) {
      body.send(text)
      expect(await fast.next()).toBe(text)
    }
    await expect(stalled.all()).rejects.toThrow('response body: cut off, since its reader was too slow')
    body.end()
    expect(await fast.all()).toBe('')
  })

  it('a body that is too large ends when its last reader leaves', async () => {
    const body = start({ maxBytes: 10 })
    const reader = read(body.open(() => body.abort(new Error('left'))))
    body.send('more than ten bytes ')
    await reader.next()
    await reader.leave()
    await vi.waitFor(() => expect(body.cancelled).toHaveBeenCalled(), 20_000)
    expect(body.room.left).toBe(1_000_000)
  })

  it('no reader gets a piece of more than 64 KiB', async () => {
    const body = start()
    const reader = body.open(() => {})?.getReader()
    body.send('x'.repeat(1_000_000))
    body.end()
    let length = 0
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      expect(piece.value.length).toBeLessThanOrEqual(65_536)
      length += piece.value.length
    }
    expect(length).toBe(1_000_000)
  })
})

it('the memory of a body is released when its readers have read the body or have left', async () => {
  const body = start()
  const [reader, secondReader] = [read(body.open(() => {})), read(body.open(() => {}))]
  body.send('x'.repeat(900))
  body.end()
  expect((await reader.all()).length).toBe(900)
  expect(body.room.left).toBeLessThan(1_000_000)
  await secondReader.leave()
  expect(body.room.left).toBe(1_000_000)
})
