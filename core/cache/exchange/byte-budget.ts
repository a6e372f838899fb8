/** A reader that bytes are held for. */
export interface HeldReader {
  /** Breaks its body off and releases what is held for it. Called when it reads nothing while others lack room. */
  drop(): void
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
}

// Milliseconds. What is held for clients that do not read must not keep the responses of all others from being stored,
// and a client on a bad connection reads something every now and then.
const stallTime = 2_000

/**
 * Creates a budget of bytes. When it is used up, room is made by dropping readers that have read nothing for two seconds,
 * the longest one first.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createByteBudget(bytes: number, clock: () => number = () => performance.now()): ByteBudget {
  let left = bytes
  // When each has read last; the longest ago first.
  const readers = new Map<HeldReader, number>()

  const hasRoom = (wanted: number): boolean => {
    if (wanted > bytes) return false
    for (const [reader, lastRead] of readers) {
      if (wanted <= left || clock() - lastRead < stallTime) break
      readers.delete(reader)
      reader.drop()
    }
    return wanted <= left
  }
  return {
    hasRoom,
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
      readers.set(reader, clock())
    },
    forget: (reader) => void readers.delete(reader),
  }
}
