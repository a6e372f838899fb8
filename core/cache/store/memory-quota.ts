import { createBoundedMap } from '../bounded-map.js'
import { countAt, countUse, mayReplace, type UseCount } from '../use-count.js'

/** A map that is bounded in bytes, and keeps what is asked for most often. */
export interface MemoryQuota<T> {
  /** Counts a use. */
  get(key: string): T | undefined
  /**
   * Stores a value, unless what would have to go is asked for more often: then it returns `false`. The previous value of the key is
   * gone in any case.
   */
  set(key: string, value: T, bytes: number): boolean
  delete(key: string): void
}

interface Slot<T> {
  key: string
  value: T
  bytes: number
  uses: UseCount
  /** In the list of all slots. */
  index: number
}

// So many slots are compared to find one to evict, and some more for each further one.
const sampleSize = 16
const samplesPerVictim = 2
// Of the counts of what is not stored, in bytes.
const maxOthersBytes = 4_000_000

/**
 * Creates a map that is bounded in bytes. Which one to evict is decided by counts that decay, and not by the order of use: a client
 * that makes up a URL with each request would push out all that visitors ask for. As in TinyLFU, what is not stored is counted, too,
 * and a large value has to be asked for as often as all together that it replaces (Einziger, Eytan, Friedman, Manes: "Lightweight
 * Robust Size Aware Cache Management", 2021).
 *
 * @param isExpired Whether a value is of no use any longer.
 * @param clock Milliseconds of a monotonic clock.
 */
export function createMemoryQuota<T>(
  maxBytes: number,
  isExpired: (value: T) => boolean,
  clock: () => number,
): MemoryQuota<T> {
  const byKey = new Map<string, Slot<T>>()
  const slots: Slot<T>[] = []
  const others = createBoundedMap<UseCount>(Math.ceil(Math.min(maxOthersBytes, maxBytes / 8)))
  let total = 0
  // Where the next comparison begins, so that all slots have their turn.
  let hand = 0

  const remove = (slot: Slot<T>) => {
    byKey.delete(slot.key)
    total -= slot.bytes
    const last = slots.pop() as Slot<T>
    if (last === slot) return
    slots[slot.index] = last
    last.index = slot.index
  }
  /** The next slots, those first that are used least for their size. */
  const sample = (size: number, now: number) => {
    const candidates: { slot: Slot<T>; count: number }[] = []
    for (let seen = Math.min(size, slots.length); seen > 0; seen--) {
      hand = (hand + 1) % slots.length
      const slot = slots[hand] as Slot<T>
      candidates.push({ slot, count: isExpired(slot.value) ? 0 : countAt(slot.uses, now) })
    }
    return candidates.sort((a, b) => a.count / a.slot.bytes - b.count / b.slot.bytes)
  }
  /** Evicts what is used less often, all together, until there is room for so many bytes. Otherwise evicts nothing. */
  const makeRoom = (bytes: number, count: number, now: number) => {
    let missing = total + bytes - maxBytes
    if (missing <= 0) return true
    const victims: Slot<T>[] = []
    let countOfVictims = 0
    const expected = Math.ceil((missing * slots.length) / total)
    for (const candidate of sample(sampleSize + samplesPerVictim * expected, now)) {
      if (missing <= 0) break
      victims.push(candidate.slot)
      missing -= candidate.slot.bytes
      countOfVictims += candidate.count
    }
    if (missing > 0 || !mayReplace(count, countOfVictims)) return false
    for (const victim of victims) {
      others.set(victim.key, victim.uses)
      remove(victim)
    }
    return true
  }

  return {
    get(key) {
      const slot = byKey.get(key)
      if (!slot) return undefined
      if (isExpired(slot.value)) {
        remove(slot)
        return undefined
      }
      countUse(slot.uses, clock())
      return slot.value
    },
    set(key, value, bytes) {
      const now = clock()
      const previous = byKey.get(key)
      if (previous) remove(previous)
      if (bytes > maxBytes) return false
      const uses = previous?.uses ?? others.get(key) ?? { count: 0, at: now }
      if (!previous) countUse(uses, now)
      if (!makeRoom(bytes, countAt(uses, now), now)) {
        others.set(key, uses)
        return false
      }
      others.delete(key)
      const slot = { key, value, bytes, uses, index: slots.length }
      byKey.set(key, slot)
      slots.push(slot)
      total += bytes
      return true
    },
    delete(key) {
      const slot = byKey.get(key)
      if (slot) remove(slot)
    },
  }
}
