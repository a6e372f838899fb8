import { createTransferBudget } from '../node/transfer-budget.js'
import type { SendCommand } from './client.js'
import { getSource, pieceSource } from './entry-source.js'
import { countPieces, maxPageBytes, pieceBytes, readBytesInFlight } from './pieces.js'
import { createScript } from './script.js'

/** What Redis has of an entry: buffers, unless another program has written them. */
export interface ReadEntry {
  /** Milliseconds; negative when the clock of Redis was set back. */
  age: number
  head: Buffer
  /** Of the body. */
  pieces: unknown[]
}

/**
 * Creates the function that reads an entry. It returns `undefined` for what is not there, and for what cannot be read in time.
 *
 * @param timeout Longest time, in milliseconds.
 * @throws RangeError when there are more bytes than `maxEntryBytes`.
 */
export function createEntryReader(send: SendCommand, maxEntryBytes: number, timeout: number) {
  const get = createScript(send, getSource)
  const getPiece = createScript(send, pieceSource)
  const pages = createTransferBudget(readBytesInFlight)
  const large = createTransferBudget(readBytesInFlight)

  /** Reads a body. `undefined` when there is no time, or when the entry was replaced meanwhile. */
  const readPieces = async (key: string, version: Buffer, length: number, until: number) => {
    const budget = length <= maxPageBytes ? pages : large
    let isOver = false
    const readPiece = async (_: unknown, index: number) => {
      const read = async () => (isOver ? undefined : await getPiece(key, String(index), version))
      const found = await budget(Math.min(pieceBytes, length - index * pieceBytes), until - performance.now(), read)
      isOver ||= !found
      return found
    }
    try {
      const pieces = await Promise.all(Array.from({ length: countPieces(length) }, readPiece))
      return isOver ? undefined : pieces.flat()
    } finally {
      isOver = true
    }
  }

  const readUntil = async (key: string, until: number, mayTryAgain: boolean): Promise<ReadEntry | undefined> => {
    const reply = await get(key, String(maxEntryBytes))
    if (reply === null) return undefined
    if (!Array.isArray(reply))
      throw new RangeError(`${key}: expected an entry of at most ${maxEntryBytes} bytes, got ${Number(reply)}`)
    const began = performance.now()
    const [age, version, length, head, ...small] = reply
    const pieces = small.length > 0 ? small : await readPieces(key, version, Number(length), until)
    if (pieces) return { age: Number(age) + performance.now() - began, head, pieces }
    return mayTryAgain && performance.now() < until ? readUntil(key, until, false) : undefined
  }

  return (key: string) => readUntil(key, performance.now() + timeout, true)
}
