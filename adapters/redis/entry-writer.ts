import { createTransferBudget } from '../node/transfer-budget.js'
import type { SendCommand } from './client.js'
import { setSource } from './entry-source.js'
import { countPieces, maxPageBytes, maxSmallBytes, pieceBytes, writtenBytesInFlight } from './pieces.js'
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
    const last = countPieces(body.length) - 1
    const writePiece = (index: number, piece: Buffer) => {
      const times = [age + passed(), Math.max(1, ttl - passed())].map(String)
      const numbers = [body.length, version, index, last].map(String)
      return run(key, ...times, head, ...numbers, piece)
    }
    const size = head.length + body.length
    if (size <= maxSmallBytes) {
      current.delete(key)
      await writePiece(0, toPiece(body, 0))
      return true
    }
    current.set(key, version)
    const isCurrent = () => current.get(key) === version
    const stop = () => isCurrent() && current.delete(key)
    let isInTime = true
    const budget = size <= maxPageBytes ? pages : large
    const writeInTurn = async (index: number): Promise<boolean> => {
      const piece = toPiece(body, index)
      const write = async () => isCurrent() && (await writePiece(index, piece))
      const reply = await budget(piece.length, timeout - passed(), write)
      if (reply === undefined && isCurrent()) isInTime = false
      const isWritten = Number(reply) === 1 // ioredis has an option for numbers as strings
      if (!isWritten) stop()
      return isWritten
    }
    try {
      const isBegun = last === 0 || (await writeInTurn(0))
      const between = Array.from({ length: Math.max(0, last - 1) }, (_, index) => index + 1)
      const areWritten = isBegun && (await Promise.all(between.map(writeInTurn))).every(Boolean)
      if (areWritten) await writeInTurn(last)
      return isInTime
    } finally {
      stop()
    }
  }
  return { write, stop: (key) => void current.delete(key) }
}

function toPiece({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>, index: number): Buffer {
  const start = index * pieceBytes
  return Buffer.from(buffer, byteOffset + start, Math.min(pieceBytes, length - start))
}
