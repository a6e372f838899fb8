import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { digestOf } from '../pipeline/etag.js'
import type { EncodedImage } from '../pipeline/image-cache.js'
import { createImageBodies, type OpenImageBody } from './image-bodies.js'

const size = 200_000
const image = (name: string): EncodedImage => {
  const body = Uint8Array.from({ length: size }, (_, index) => (index * name.charCodeAt(0)) % 251)
  return { etag: name, type: 'image/png', body }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Opens images of which there is room for two. */
const openAll = (names: string) => {
  const load = vi.fn(async (etag: string): Promise<EncodedImage | undefined> => image(etag))
  // Large images are streams.
  const open = createImageBodies(load, 2 * size) as (
    ...given: Parameters<OpenImageBody>
  ) => ReadableStream<Uint8Array<ArrayBuffer>>
  const readers = [...names].map((name) => open(image(name)).getReader())
  return { load, open, readers }
}

/** Reads to the end, and returns the digest of it all. */
const rest = async (reader: ReadableStreamDefaultReader<Uint8Array>, first?: Uint8Array) => {
  const pieces = first ? [first] : []
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value)
  return digestOf(Buffer.concat(pieces))
}

test('a body is the image, and no piece of it keeps the whole in memory', async () => {
  const { load, readers } = openAll('a')
  const piece = await readers[0]?.read()
  expect(piece?.value?.buffer.byteLength).toBeLessThan(size)
  expect(await rest(readers[0] as never, piece?.value)).toBe(digestOf(image('a').body))
  expect(load).not.toHaveBeenCalled()
})

test('images of clients that read nothing are given up when there is no room, and loaded again when they read on', async () => {
  const { load, readers } = openAll('abc')
  const [a, b, c] = readers as [(typeof readers)[0], (typeof readers)[0], (typeof readers)[0]]
  const first = (await a.read()).value
  const second = (await b.read()).value
  vi.advanceTimersByTime(3_000)
  const third = (await c.read()).value
  expect(await rest(a, first)).toBe(digestOf(image('a').body))
  expect(load.mock.calls).toEqual([['a']])
  expect(await rest(b, second)).toBe(digestOf(image('b').body))
  expect(await rest(c, third)).toBe(digestOf(image('c').body))
})

test('nothing is given up of clients that read, nor when there is room', async () => {
  const { load, readers } = openAll('abc')
  const first = await Promise.all(readers.map(async (reader) => (await reader.read()).value))
  for (const [index, reader] of readers.entries()) await rest(reader, first[index])
  expect(load).not.toHaveBeenCalled()
})

test('a body fails when its image is no longer stored, and says so', async () => {
  const { load, open, readers } = openAll('-bc')
  const onError = vi.fn()
  readers[0] = open(image('a'), onError).getReader()
  load.mockResolvedValue(undefined)
  await readers[0]?.read()
  await readers[1]?.read()
  vi.advanceTimersByTime(3_000)
  await readers[2]?.read()
  expect(onError).not.toHaveBeenCalled()
  await expect(readers[0]?.read()).rejects.toThrow('no longer stored')
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: expect.any(String) }))
})

test('what a client has read to the end, or cancelled, makes room', async () => {
  const { load, open } = openAll('')
  for (let index = 0; index < 5; index++) {
    await rest(open(image('a')).getReader())
    const reader = open(image('b')).getReader()
    await reader.read()
    await reader.cancel()
  }
  const [a, b] = [open(image('a')).getReader(), open(image('b')).getReader()]
  const first = (await a.read()).value
  vi.advanceTimersByTime(3_000)
  await rest(b)
  expect(await rest(a, first)).toBe(digestOf(image('a').body))
  expect(load).not.toHaveBeenCalled()
})

test('a client that disconnects while its image is loaded again holds nothing', async () => {
  const { load, open, readers } = openAll('abc')
  let loaded: (image: EncodedImage) => void = () => {}
  load.mockReturnValueOnce(new Promise((resolve) => (loaded = resolve)))
  const [a, b, c] = readers as [(typeof readers)[0], (typeof readers)[0], (typeof readers)[0]]
  await a.read()
  vi.advanceTimersByTime(3_000)
  for (const reader of [b, c]) await reader.read()
  const reading = a.read()
  await a.cancel()
  loaded(image('a'))
  expect((await reading).done).toBe(true)
  for (const reader of [b, c]) await reader.cancel()
  load.mockClear()
  // There is room for two again.
  const [d, e] = [open(image('d')).getReader(), open(image('e')).getReader()]
  const first = (await d.read()).value
  vi.advanceTimersByTime(3_000)
  await rest(e)
  expect(await rest(d, first)).toBe(digestOf(image('d').body))
  expect(load).not.toHaveBeenCalled()
})
