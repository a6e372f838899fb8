import { createTransferBudget } from '../node/transfer-budget.js'
import type { SendCommand } from './client.js'
import { blockBytes, getSource } from './entry-source.js'
import { maxPageBytes, maxSmallBytes, type Piece, readBytesInFlight, toPieces } from './pieces.js'
import { createScript } from './script.js'

/** What Redis has of an entry: buffers, unless another program has written them. */
export interface ReadEntry {
  /** Milliseconds; negative when the clock of Redis was set back. */
  age: number
  version: Buffer
  /** Of the whole body, in bytes. */
  length: number
  head: Buffer
  blocks: unknown[]
}

export type EntryReader = (key: string, first?: number, last?: number) => Promise<ReadEntry | undefined>

/**
 * Creates the function that reads an entry with blocks of its body: those from the first to the last, all by default. It returns
 * `undefined` for what is not there, and for what cannot be read in time.
 *
 * @param timeout Longest time, in milliseconds.
 * @throws RangeError when there are more bytes than `maxEntryBytes`.
 */
export function createEntryReader(send: SendCommand, maxEntryBytes: number, timeout: number): EntryReader {
  const run = createScript(send, getSource)
  const pages = createTransferBudget(readBytesInFlight)
  const large = createTransferBudget(readBytesInFlight)
  const tooLarge = (key: string, bytes: number) =>
    new RangeError(`${key}: expected an entry of at most ${maxEntryBytes} bytes, got ${bytes}`)

  const ask = async (key: string, first: number, last: number, limit: number, version: Buffer | string) => {
    const range = [first, last].map((block) => (block === Infinity ? '' : String(block)))
    const reply = await run(key, ...range, String(limit), String(maxEntryBytes), version)
    if (reply === null) return undefined
    if (!Array.isArray(reply)) throw tooLarge(key, Number(reply))
    const [age, found, length, head, ...blocks] = reply
    return { age: Number(age), version: found, length: Number(length), head, blocks } as ReadEntry
  }

  /** Reads blocks in pieces. `undefined` when there is no time, or when the entry was replaced meanwhile. */
  const readPieces = async (key: string, entry: ReadEntry, first: number, end: number, until: number) => {
    const budget = (end - first) * blockBytes <= maxPageBytes ? pages : large
    let isOver = false
    const readPiece = async (piece: Piece) => {
      const read = async () =>
        isOver ? undefined : await ask(key, piece.start, piece.end - 1, Number.MAX_SAFE_INTEGER, entry.version)
      const found = await budget((piece.end - piece.start) * blockBytes, until - performance.now(), read)
      isOver ||= !found
      return found
    }
    try {
      const pieces = await Promise.all(toPieces(first, end).map(readPiece))
      return pieces.every((piece) => piece !== undefined) ? pieces : undefined
    } finally {
      isOver = true
    }
  }

  const readUntil = async (
    key: string,
    first: number,
    last: number,
    until: number,
    mayTryAgain: boolean,
  ): Promise<ReadEntry | undefined> => {
    const entry = await ask(key, first, last, maxSmallBytes, '')
    if (!entry) return undefined
    const end = Math.max(first, Math.min(last + 1, Math.ceil(entry.length / blockBytes)))
    const bytes = entry.head.length + Math.min((end - first) * blockBytes, entry.length)
    if (bytes > maxEntryBytes) throw tooLarge(key, bytes)
    if (entry.blocks.length === end - first) return entry
    const pieces = await readPieces(key, entry, first, end, until)
    if (pieces) {
      const ages = pieces.map(({ age }) => age)
      return { ...entry, age: Math.max(entry.age, ...ages), blocks: pieces.flatMap(({ blocks }) => blocks) }
    }
    return mayTryAgain && performance.now() < until ? readUntil(key, first, last, until, false) : undefined
  }

  return (key, first = 0, last = Infinity) => readUntil(key, first, last, performance.now() + timeout, true)
}
