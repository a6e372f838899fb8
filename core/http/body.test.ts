import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { BodyTooLargeError, readBytes, readPieces } from './body.js'

async function* piecesOf(...sizes: number[]) {
  for (const [index, size] of sizes.entries()) yield new Uint8Array(size).fill(index + 1)
}

describe('readBytes', () => {
  it.each([
    [[], []],
    [[2], [1, 1]],
    [
      [1, 0, 2],
      [1, 3, 3],
    ],
  ])('readBytes joins pieces of %o bytes', async (sizes, bytes) => {
    expect(await readBytes(piecesOf(...sizes), 3)).toEqual(new Uint8Array(bytes))
  })

  it('readBytes stops at the first byte beyond its bound', async () => {
    const read = vi.fn()
    async function* endless() {
      for (;;) {
        read()
        yield new Uint8Array(10)
      }
    }
    await expect(readBytes(endless(), 25)).rejects.toThrow(new BodyTooLargeError('body is larger than 25 bytes'))
    expect(read).toHaveBeenCalledTimes(3)
  })

  it('readBytes does not keep one-byte pieces, each of which takes some hundred bytes of memory', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const kept: WeakRef<Uint8Array>[] = []
    const countKept = () => kept.filter((piece) => piece.deref()).length
    async function* trickle() {
      for (let byte = 0; byte < 10_000; byte++) {
        const piece = Uint8Array.of(byte)
        kept.push(new WeakRef(piece))
        yield piece
      }
      await setImmediate()
      collectGarbage()
    }
    const bytes = await readBytes(trickle(), 10_000)
    expect(bytes).toEqual(Uint8Array.from({ length: 10_000 }, (_, byte) => byte))
    expect(countKept()).toBeLessThan(2_000)
  })

  it('readBytes rejects with the error of the body', async () => {
    async function* broken() {
      yield new Uint8Array(1)
      throw new Error('reset')
    }
    await expect(readBytes(broken(), 10)).rejects.toThrow('reset')
  })
})

describe('readPieces', () => {
  const collect = async (body: ReadableStream<string> | null | undefined) => {
    const pieces: string[] = []
    for await (const piece of readPieces(body)) pieces.push(piece)
    return pieces
  }

  it.each([[null], [undefined]])('readPieces yields nothing from %s', async (body) =>
    expect(await collect(body)).toEqual([]),
  )

  it('readPieces yields every piece', async () => {
    const body = new ReadableStream<string>({
      start(controller) {
        for (const piece of ['a', 'b']) controller.enqueue(piece)
        controller.close()
      },
    })
    expect(await collect(body)).toEqual(['a', 'b'])
  })

  it('readPieces cancels the stream when its reader stops early, without waiting for the cancellation', async () => {
    const cancel = vi.fn(() => new Promise<void>(() => {}))
    const body = new ReadableStream<string>({ pull: (controller) => controller.enqueue('a'), cancel })
    for await (const piece of readPieces(body)) {
      expect(piece).toBe('a')
      break
    }
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), 20_000)
  })

  it('readPieces throws the error of the stream', async () => {
    const body = new ReadableStream<string>({
      pull(controller) {
        controller.error(new Error('reset'))
      },
    })
    await expect(collect(body)).rejects.toThrow('reset')
  })
})
