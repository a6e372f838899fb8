import { dropOrder, type Held, type HeldClient, type HeldReader, minMeasured, type Progress } from './held-reader.js'

/** Bounds the bytes that all bodies in transfer may hold together. */
export interface ByteBudget {
  /**
   * Reserves bytes for a body that has some. Returns `false` when too few are left, also after stalled readers were dropped; and for
   * one that has more than is left, once others have half: large bodies leave room for small ones.
   */
  take(bytes: number, had?: number): boolean
  release(bytes: number): void
  /**
   * Reserves bytes that are held for readers only.
   *
   * @param except A reader that is not dropped to make room for it, since it can wait.
   */
  takeUnread(bytes: number, except?: HeldReader): boolean
  releaseUnread(bytes: number): void
  /** Bytes that are reserved are held for readers only from now on. */
  markUnread(bytes: number): void
  /** Whether so many bytes could be reserved now. */
  hasRoom(bytes: number): boolean
  /** Whether so much is in use that nothing should be read ahead. */
  isCrowded(): boolean
  /**
   * Bytes are held for a reader, which has just read or begins to: once it reads nothing for a while, it may be dropped.
   *
   * @param since Since when it could read, by the clock of the budget, where that was not now. Default: now.
   */
  hold(reader: HeldReader, since?: number): void
  /** Nothing is held for a reader any more. */
  forget(reader: HeldReader): void
  /** Whether a reader that bytes are held for has read nothing for the stall time, and its client nothing else either. */
  isStalled(reader: HeldReader): boolean
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
}

export interface ByteBudgetOptions {
  /**
   * How much of it may be held for readers only. Beyond it, some are dropped: clients that take a long time for what waits for
   * them must not keep the responses of all others from being stored. Default: all.
   */
  maxUnread?: number
  /** Milliseconds after which a reader may be dropped. Default: two seconds. */
  stallTime?: number
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
}

// What is held for clients that do not read must not keep the responses of all others from being stored, and a client on a bad
// connection reads something every now and then.
const shortStallTime = 2_000
// Bytes that a client takes of its connection in that time, if it reads slowly. And how long it may read other bodies meanwhile.
const slowestTaken = 16 * 1024
const longestWait = 60_000
// Milliseconds. While nobody may be dropped, readers are not looked through for each piece: with 2,000 that takes a millisecond.
const rankInterval = 100

/**
 * Creates a budget of bytes. When it is used up, room is made by dropping readers that have read nothing for the stall
 * time, and whose clients have not read anything else either, the longest one first.
 */
export function createByteBudget(
  bytes: number,
  { maxUnread = bytes, stallTime = shortStallTime, clock = () => performance.now() }: ByteBudgetOptions = {},
): ByteBudget {
  let left = bytes
  let unread = 0
  let inVain = { at: Number.NEGATIVE_INFINITY, wanted: 0 }
  // That first whose last read, or look at its client, was longest ago.
  const readers = new Map<HeldReader, Held>()
  // Bytes that each client has read of bodies that some were held for. Not what else it reads: that empties nothing here.
  const readBy = new WeakMap<object, number>()

  const clientOf = (reader: HeldReader): object => reader.client?.connection ?? reader
  const count = (reader: HeldReader, held: Held): void => {
    const position = reader.read()
    readBy.set(held.client, (readBy.get(held.client) ?? 0) + position - held.position)
    held.position = position
  }
  const forget = (reader: HeldReader): Held | undefined => {
    const held = readers.get(reader)
    if (held) count(reader, held)
    readers.delete(reader)
    return held
  }
  const look = (reader: HeldReader, client: object): Progress => ({
    at: clock(),
    read: readBy.get(client) ?? 0,
    taken: reader.client?.taken() ?? reader.read(),
  })
  const drop = (reader: HeldReader) => {
    // Not one that has left meanwhile, since another one was dropped.
    if (readers.delete(reader)) reader.drop()
  }

  const hadTime = (held: Held): boolean => clock() - Math.max(held.lastRead, held.seen.at) >= stallTime
  const isStalled = (reader: HeldReader, held: Held): boolean => {
    const seen = look(reader, held.client)
    if (seen.taken - held.seen.taken < slowestTaken || seen.at - held.lastRead >= longestWait) return true
    readers.delete(reader)
    readers.set(reader, { ...held, before: held.seen, seen })
    return false
  }
  /** Returns whom to drop, so that a body has room. */
  const slowestReaders = (wanted: number): HeldReader[] => {
    const clients = new Map<object, HeldClient>()
    const now = clock()
    for (const [reader, held] of readers) count(reader, held)
    for (const [reader, { client, before }] of readers) {
      const all = clients.get(client) ?? { readers: [], unread: 0, time: 0, read: 0 }
      const time = now - before.at
      if (time > all.time) Object.assign(all, { time, read: (readBy.get(client) ?? 0) - before.read })
      all.unread += reader.unread()
      all.readers.push(reader)
      clients.set(client, all)
    }
    return dropOrder([...clients.values()], wanted)
  }
  /** Makes room among what is unread, some more than needed, so that it need not be made for each body. */
  const dropSlowest = (wanted: number, except?: HeldReader) => {
    if (unread + wanted <= maxUnread) return
    // For a smaller body, more of them may be.
    if (wanted >= inVain.wanted && clock() - inVain.at < rankInterval) return
    for (const reader of slowestReaders(wanted)) {
      if (unread + wanted <= (maxUnread * 3) / 4) return
      if (reader !== except) drop(reader)
    }
    if (unread + wanted > maxUnread) inVain = { at: clock(), wanted }
  }

  const hasRoom = (wanted: number, except?: HeldReader): boolean => {
    if (wanted > bytes) return false
    // Those who had not had any time when it was exceeded have had some since.
    if (wanted > left) dropSlowest(0, except)
    for (const [reader, held] of readers) {
      if (wanted <= left || !hadTime(held)) break
      if (reader !== except && isStalled(reader, held)) drop(reader)
    }
    return wanted <= left
  }

  return {
    hasRoom,
    clock,
    isCrowded: () => bytes - left > bytes / 4,
    take(wanted, had = 0) {
      const isCrowded = bytes - left - had > bytes / 2
      if (!hasRoom(isCrowded ? had + wanted : wanted)) return false
      left -= wanted
      return true
    },
    release(returned) {
      left += returned
    },
    takeUnread(wanted, except) {
      // To drop all would not be enough.
      if (wanted <= maxUnread) dropSlowest(wanted, except)
      if (unread + wanted > maxUnread || !hasRoom(wanted, except)) return false
      left -= wanted
      unread += wanted
      return true
    },
    releaseUnread(returned) {
      left += returned
      unread -= returned
    },
    markUnread(marked) {
      unread += marked
      dropSlowest(0)
    },
    isStalled(reader) {
      const held = readers.get(reader)
      return held !== undefined && hadTime(held) && isStalled(reader, held)
    },
    forget,
    hold(reader, since) {
      const held = forget(reader)
      const [client, position, lastRead] = [clientOf(reader), reader.read(), clock()]
      const known = held?.client === client ? held : undefined
      // Not each time: to ask a socket takes longer than to read a small piece.
      const isSeen = known !== undefined && lastRead - known.seen.at < minMeasured
      const seen = isSeen ? known.seen : look(reader, client)
      const first = since === undefined ? seen : { ...seen, at: since, read: seen.read - position }
      const before = isSeen ? known.before : (known?.seen ?? first)
      readers.set(reader, { client, position, lastRead, before, seen })
    },
  }
}
