/** A reader that bytes are held for. */
export interface HeldReader {
  /** Breaks its body off and releases what is held for it. Called when it reads nothing while others lack room. */
  drop(): void
  /** Returns how many bytes its client has taken of all bodies on the same connection, as far as a server has said so. */
  taken?: (() => number) | undefined
}

const readersByBody = new WeakMap<object, HeldReader>()

/** Notes who reads a stream that a server sends. */
export function setReader(body: object, reader: HeldReader): void {
  readersByBody.set(body, reader)
}

/** Notes that a stream passes on another one, piece by piece. */
export function copyReader(from: object, to: object): void {
  const reader = readersByBody.get(from)
  if (reader) readersByBody.set(to, reader)
}

/**
 * Lets a server say how many bytes the client of a body has taken of its connection. The streams of one HTTP/2 connection
 * wait for each other: a client that reads others first has not stopped to read.
 */
export function setTaken(body: object, taken: () => number): void {
  const reader = readersByBody.get(body)
  if (reader) reader.taken = taken
}

/** Bounds the bytes that all bodies in transfer may hold together. */
export interface ByteBudget {
  /** Reserves bytes. Returns `false` when too few are left, also after stalled readers were dropped. */
  take(bytes: number): boolean
  release(bytes: number): void
  /** Whether so many bytes could be reserved now. */
  hasRoom(bytes: number): boolean
  /** Bytes are held for a reader, which has just read or begins to: once it reads nothing for a while, it may be dropped. */
  hold(reader: HeldReader): void
  /** Nothing is held for a reader any more. */
  forget(reader: HeldReader): void
  /** Whether bytes are held for a reader, which has read nothing for the stall time, and nor has its client. */
  isStalled(reader: HeldReader): boolean
  /** Milliseconds. */
  readonly stallTime: number
}

export interface ByteBudgetOptions {
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

/**
 * Creates a budget of bytes. When it is used up, room is made by dropping readers that have read nothing for the stall
 * time, and whose clients have not read anything else either, the longest one first.
 */
export function createByteBudget(
  bytes: number,
  { stallTime = shortStallTime, clock = () => performance.now() }: ByteBudgetOptions = {},
): ByteBudget {
  let left = bytes
  // When each has read last, and when its client was seen reading; that longest ago first.
  const readers = new Map<HeldReader, { lastRead: number; lastSeen: number; taken: number }>()

  const isStalled = (reader: HeldReader) => {
    const held = readers.get(reader)
    const now = clock()
    if (!held || now - held.lastSeen < stallTime) return false
    const taken = reader.taken?.() ?? 0
    if (taken - held.taken < slowestTaken || now - held.lastRead >= longestWait) return true
    readers.delete(reader)
    readers.set(reader, { ...held, lastSeen: now, taken })
    return false
  }
  const hasRoom = (wanted: number): boolean => {
    if (wanted > bytes) return false
    for (const [reader, { lastSeen }] of readers) {
      if (wanted <= left || clock() - lastSeen < stallTime) break
      if (!isStalled(reader)) continue
      readers.delete(reader)
      reader.drop()
    }
    return wanted <= left
  }
  return {
    hasRoom,
    isStalled,
    stallTime,
    take(wanted) {
      if (!hasRoom(wanted)) return false
      left -= wanted
      return true
    },
    release(returned) {
      left += returned
    },
    hold(reader) {
      readers.delete(reader)
      const now = clock()
      readers.set(reader, { lastRead: now, lastSeen: now, taken: reader.taken?.() ?? 0 })
    },
    forget: (reader) => void readers.delete(reader),
  }
}
