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
  /** Whether bytes are held for a reader, which has read nothing for {@link stallTime}. */
  isStalled(reader: HeldReader): boolean
}

/**
 * Time in milliseconds after which a reader may be dropped. What is held for clients that do not read must not keep the
 * responses of all others from being stored, and a client on a bad connection reads something every now and then.
 */
export const stallTime = 2_000

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

  const isStalled = (reader: HeldReader) => clock() - (readers.get(reader) ?? Number.POSITIVE_INFINITY) >= stallTime
  const hasRoom = (wanted: number): boolean => {
    if (wanted > bytes) return false
    for (const reader of readers.keys()) {
      if (wanted <= left || !isStalled(reader)) break
      readers.delete(reader)
      reader.drop()
    }
    return wanted <= left
  }
  return {
    hasRoom,
    isStalled,
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
