import type { HeldReader } from './held-reader.js'

/** Bounds the bytes that all bodies in transfer may hold together. */
export interface ByteBudget {
  /** Reserves bytes. Returns `false` when too few are left, also after stalled readers were dropped. */
  take(bytes: number): boolean
  release(bytes: number): void
  /** Reserves bytes that are held for readers only. */
  takeUnread(bytes: number): boolean
  releaseUnread(bytes: number): void
  /** Bytes that are reserved are held for readers only from now on. */
  markUnread(bytes: number): void
  /** Whether so many bytes could be reserved now. */
  hasRoom(bytes: number): boolean
  /** Bytes are held for a reader, which has just read or begins to: once it reads nothing for a while, it may be dropped. */
  hold(reader: HeldReader): void
  /** Nothing is held for a reader any more. */
  forget(reader: HeldReader): void
  /** Milliseconds. */
  readonly stallTime: number
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
// Milliseconds. How fast a client is shows after some time, in which the buffers of its connection have been filled.
const minMeasured = 1_000
const bufferedBytes = 64 * 1024

/** How much a reader, or its client, had taken at some time. */
interface Progress {
  at: number
  taken: number
}

/** What is known of a reader: when it has read last, and two looks at its progress, a second apart or more. */
interface Held {
  lastRead: number
  before: Progress
  seen: Progress
}

/** A client that bytes are held for, and how much it has taken in which time. */
interface HeldClient {
  readers: HeldReader[]
  unread: number
  time: number
  taken: number
}

/** Grows with the time that a client would take for what waits for it. */
function slowness({ unread, time, taken }: HeldClient): number {
  return (unread * Math.max(time, minMeasured)) / (taken + bufferedBytes)
}

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
  // That first whose last read, or look at its client, was longest ago.
  const readers = new Map<HeldReader, Held>()

  const look = (reader: HeldReader): Progress => ({ at: clock(), taken: reader.client?.taken() ?? reader.read() })
  const drop = (reader: HeldReader) => {
    // Not one that has left meanwhile, since another one was dropped.
    if (readers.delete(reader)) reader.drop()
  }

  const isStalled = (reader: HeldReader, held: Held): boolean => {
    const seen = look(reader)
    if (seen.taken - held.seen.taken < slowestTaken || seen.at - held.lastRead >= longestWait) return true
    readers.delete(reader)
    readers.set(reader, { ...held, before: held.seen, seen })
    return false
  }
  /**
   * Returns whom to drop: first those who read on from elsewhere, then those whose bodies break off; of each those first whose
   * clients would take longest for all that waits for them. Clients that had no time yet to show how fast they are do not have their
   * bodies broken off, and neither do those that are faster: it would make little room, and the next new ones would take it.
   */
  const slowestReaders = (): HeldReader[] => {
    const clients = new Map<object, HeldClient>()
    for (const [reader, { before }] of readers) {
      const key = reader.client?.connection ?? reader
      const client = clients.get(key) ?? { readers: [], unread: 0, time: 0, taken: 0 }
      const { at, taken } = look(reader)
      const time = at - before.at
      if (time > client.time) Object.assign(client, { time, taken: taken - before.taken })
      client.unread += reader.unread()
      client.readers.push(reader)
      clients.set(key, client)
    }
    const canReadOn = (reader: HeldReader) => reader.canReadOn?.() === true
    const bySlowness = [...clients.values()].sort((a, b) => slowness(b) - slowness(a))
    const isNew = ({ time, readers: all }: HeldClient) => time < minMeasured && !all.every(canReadOn)
    const firstNew = bySlowness.findIndex(isNew)
    const slow = firstNew === -1 ? bySlowness : bySlowness.slice(0, firstNew)
    return [
      ...bySlowness.flatMap(({ readers: all }) => all.filter(canReadOn)),
      ...slow.flatMap(({ readers: all }) => all.filter((reader) => !canReadOn(reader))),
    ]
  }
  /** Makes room among what is unread, some more than needed, so that it need not be made for each body. */
  const dropSlowest = (wanted: number) => {
    if (unread + wanted <= maxUnread) return
    for (const reader of slowestReaders()) {
      if (unread + wanted <= (maxUnread * 3) / 4) return
      drop(reader)
    }
  }

  const hasRoom = (wanted: number): boolean => {
    if (wanted > bytes) return false
    // Those who had not had any time when it was exceeded have had some since.
    if (wanted > left) dropSlowest(0)
    for (const [reader, held] of readers) {
      if (wanted <= left || clock() - Math.max(held.lastRead, held.seen.at) < stallTime) break
      if (isStalled(reader, held)) drop(reader)
    }
    return wanted <= left
  }

  return {
    hasRoom,
    stallTime,
    take(wanted) {
      if (!hasRoom(wanted)) return false
      left -= wanted
      return true
    },
    release(returned) {
      left += returned
    },
    takeUnread(wanted) {
      dropSlowest(wanted)
      if (unread + wanted > maxUnread || !hasRoom(wanted)) return false
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
    hold(reader) {
      const held = readers.get(reader)
      const lastRead = clock()
      readers.delete(reader)
      // Not each time: to ask a socket takes longer than to read a small piece.
      if (held && lastRead - held.seen.at < minMeasured) return void readers.set(reader, { ...held, lastRead })
      const seen = look(reader)
      readers.set(reader, { lastRead, before: held?.seen ?? seen, seen })
    },
    forget: (reader) => void readers.delete(reader),
  }
}
