import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readAhead } from './read-ahead.js'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

const KiB = 1024

/** A body of so many parts. */
const bodyOf = (parts: number, bytes = 1_000) => {
  let read = 0
  const body = new Readable({
    highWaterMark: 1,
    read() {
      if (read === parts) return this.push(null)
      read++
      this.push(Buffer.alloc(bytes, read))
    },
  })
  return Object.assign(body, { bytesRead: () => read * bytes })
}
const rest = () => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))))
const settle = async () => {
  for (let round = 0; round < 100; round++) await rest()
}
const lengthOf = async (body: Readable) => {
  let length = 0
  for await (const chunk of body) length += chunk.length
  return length
}

describe('a body that is read ahead', () => {
  test.each([20_000, 4_000_000])(
    'is read to its end before its reader reads, and given whole (%i bytes)',
    async (bytes) => {
      const body = bodyOf(20, bytes / 20)
      const ahead = readAhead(body, 10_000)
      await settle()
      expect(body.readableEnded).toBe(true)
      expect(await lengthOf(ahead)).toBe(bytes)
    },
  )

  test('goes on at the pace of its reader beyond 4 MiB, however long that takes', async () => {
    const [part, parts] = [64 * KiB, 200]
    const body = bodyOf(parts, part)
    const ahead = readAhead(body, 10_000)
    let length = 0
    await settle()
    for await (const chunk of ahead) {
      expect(body.bytesRead() - length).toBeLessThan(8.5 * KiB * KiB)
      length += chunk.length
      vi.advanceTimersByTime(60_000)
      await settle()
    }
    expect(length).toBe(parts * part)
  })

  test('is read no further than 4 MiB while nobody reads', async () => {
    const body = bodyOf(200, 64 * KiB)
    readAhead(body, 10_000)
    await settle()
    expect(body.bytesRead() / KiB).toBeGreaterThanOrEqual(4 * KiB)
    expect(body.bytesRead() / KiB).toBeLessThan(4.2 * KiB)
  })

  test('in small pieces is given in large ones', async () => {
    const body = new Readable({ read() {} })
    const ahead = readAhead(body, 10_000)
    const lengths: number[] = []
    const reading = (async () => {
      for await (const { length } of ahead) lengths.push(length)
    })()
    for (let arrival = 0; arrival < 10; arrival++) {
      for (let piece = 0; piece < 10_000; piece++) body.push(Buffer.alloc(1))
      await rest()
    }
    body.push(null)
    await reading
    expect(lengths.reduce((sum, length) => sum + length)).toBe(100_000)
    expect(lengths.length).toBeLessThan(50)
  })

  test('fails when the service keeps its reader waiting for longer than the time limit', async () => {
    const body = new Readable({ read() {} })
    const ahead = readAhead(body, 1_000)
    for (let piece = 0; piece < 3; piece++) {
      body.push(Buffer.alloc(1))
      await rest()
      vi.advanceTimersByTime(600)
    }
    await expect(lengthOf(ahead)).rejects.toThrow('expected 16384 bytes a second')
    expect(body.destroyed).toBe(true)
  })

  test.each([
    ['fails', (body: Readable) => body.destroy(new Error('reset')), 'reset'],
    ['is closed early', (body: Readable) => body.destroy(), 'ended early'],
  ])('fails when it %s, before or while it is read', async (_, end, expected) => {
    const open = () => {
      const body = new Readable({ read() {} })
      body.push(Buffer.alloc(1_000))
      return { body, ahead: readAhead(body, 10_000) }
    }
    const before = open()
    await settle()
    end(before.body)
    await settle()
    await expect(lengthOf(before.ahead)).rejects.toThrow(expected)
    const after = open()
    const reading = expect(lengthOf(after.ahead)).rejects.toThrow(expected)
    await settle()
    end(after.body)
    await reading
  })

  test('is closed when its reader leaves', async () => {
    const body = bodyOf(200, 64 * KiB)
    readAhead(body, 10_000).destroy()
    await settle()
    expect(body.destroyed).toBe(true)
  })
})
