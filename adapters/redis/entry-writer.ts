import { createTransferBudget } from '../node/transfer-budget.js'
import type { SendCommand } from './client.js'
import { blockBytes, setSource } from './entry-source.js'
import { maxPageBytes, maxSmallBytes, type Piece, toPieces, writtenBytesInFlight } from './pieces.js'
import { createCommandId, createScript } from './script.js'

/** Writes entries in pieces. */
export interface EntryWriter {
  /**
   * Stores an entry. When that takes too long, or when the key is written or removed meanwhile, it is not stored. Until the last
   * piece is there the previous entry stays: without time, the new one may be the same, rendered again because there was no time for
   * reading either.
   *
   * @param age In milliseconds.
   * @param ttl Rest of its lifetime, in milliseconds.
   * @returns `false` when it took too long.
   */
  write(key: string, head: Buffer, body: Uint8Array<ArrayBuffer>, age: number, ttl: number): Promise<boolean>
  /** Stops what is being written. */
  stop(key: string): void
}

/** @param timeout Longest time of one entry, in milliseconds. */
export function createEntryWriter(send: SendCommand, timeout: number): EntryWriter {
  const run = createScript(send, setSource)
  const pages = createTransferBudget(writtenBytesInFlight)
  const large = createTransferBudget(writtenBytesInFlight)
  // What is being written, by key: a later write of the same key takes its place.
  const current = new Map<string, string>()

  const write: EntryWriter['write'] = async (key, head, body, age, ttl) => {
    const version = createCommandId()
    const began = performance.now()
    const passed = () => Math.round(performance.now() - began)
    const count = Math.ceil(body.length / blockBytes)
    const writePiece = ({ start, end }: Piece) => {
      const times = [age + passed(), Math.max(1, ttl - passed())].map(String)
      const numbers = [body.length, version, start, count - 1].map(String)
      return run(key, ...times, head, ...numbers, ...toBlocks(body, start, end))
    }
    const size = head.length + body.length
    if (size <= maxSmallBytes) {
      current.delete(key)
      await writePiece({ start: 0, end: count })
      return true
    }
    current.set(key, version)
    const isCurrent = () => current.get(key) === version
    const stop = () => isCurrent() && current.delete(key)
    let isInTime = true
    const budget = size <= maxPageBytes ? pages : large
    const writeInTurn = async (piece: Piece): Promise<boolean> => {
      const bytes = (piece.end - piece.start) * blockBytes
      const reply = await budget(bytes, timeout - passed(), async () => isCurrent() && (await writePiece(piece)))
      if (reply === undefined && isCurrent()) isInTime = false
      const isWritten = Number(reply) === 1 // ioredis has an option for numbers as strings
      if (!isWritten) stop()
      return isWritten
    }
    try {
      const pieces = toPieces(0, count)
      const last = pieces.pop() as Piece
      const first = pieces.shift()
      const isBegun = !first || (await writeInTurn(first))
      const areWritten = isBegun && (await Promise.all(pieces.map(writeInTurn))).every(Boolean)
      if (areWritten) await writeInTurn(last)
      return isInTime
    } finally {
      stop()
    }
  }
  return { write, stop: (key) => void current.delete(key) }
}

function toBlocks({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>, first: number, end: number): Buffer[] {
  return Array.from({ length: end - first }, (_, index) => {
    const start = (first + index) * blockBytes
    return Buffer.from(buffer, byteOffset + start, Math.min(blockBytes, length - start))
  })
}
