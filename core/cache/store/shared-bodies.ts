import type { StoreEntry } from './entry.js'

// Smaller ones are not worth a comparison.
const minBytes = 64 * 1024

/** Returns an entry, with the bytes that an earlier read of the key returned if they are still in use and the same. */
export type ShareBody = (key: string, entry: StoreEntry) => StoreEntry

/**
 * Creates the function that lets all readers of one entry share its body. A store that reads the bytes again for each hit, such
 * as one on a disk, would otherwise take the memory of a whole body for each client that reads slowly.
 */
export function createSharedBodies(): ShareBody {
  // By buffers, which live as long as any part of them is read.
  const bodies = new Map<string, { buffer: WeakRef<ArrayBuffer>; offset: number; length: number }>()
  const collected = new FinalizationRegistry<string>((key) => {
    if (!bodies.get(key)?.buffer.deref()) bodies.delete(key)
  })
  const bodyOf = (key: string) => {
    const { buffer, offset, length } = bodies.get(key) ?? {}
    const bytes = buffer?.deref()
    return bytes && new Uint8Array(bytes, offset, length)
  }
  return (key, entry) => {
    if (entry.kind === 'vary' || entry.body.length < minBytes) return entry
    const { buffer, byteOffset, length } = entry.body
    const shared = bodyOf(key)
    if (shared?.buffer === buffer) return entry
    if (shared && isEqual(shared, entry.body)) return { ...entry, body: shared }
    bodies.set(key, { buffer: new WeakRef(buffer), offset: byteOffset, length })
    collected.register(buffer, key)
    return entry
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  // Four bytes at a time, wherever they begin: a third of the time.
  const [first, second] = [a, b].map(({ buffer, byteOffset, length }) => new DataView(buffer, byteOffset, length)) as [
    DataView,
    DataView,
  ]
  let offset = 0
  for (; offset + 4 <= a.length; offset += 4) if (first.getInt32(offset) !== second.getInt32(offset)) return false
  for (; offset < a.length; offset++) if (a[offset] !== b[offset]) return false
  return true
}
