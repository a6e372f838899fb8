import { LRUCache } from 'lru-cache'
import { forEachInSteps, sortInSteps } from './in-steps.js'
import type { FileInfo } from './scan-directory.js'

/** Tracks the files of a directory and keeps their total size within a bound. */
export interface DiskQuota {
  /** Records a file as the most recently used. Evicts the least recently used ones until the total fits. */
  touch(name: string, size: number): void
  /** Forgets a file that is gone. */
  remove(name: string): void
  has(name: string): boolean
  /**
   * Makes room on a disk that is full before the bound is reached: evicts the least recently used eighth, and lowers the bound to
   * what is left. It rises again by an eighth of the files that are recorded from then on. Returns `false` before the first
   * reconciliation: an eighth of what is recorded by then is next to nothing.
   */
  shrink(): boolean
  /**
   * Corrects the records from a scan of the directory, since other processes write and remove files too. Files that were
   * last used in the future count as the least recently used. Other work runs meanwhile.
   *
   * @param scanned In any order. Of several with one name, the last counts.
   * @param startedAt When the scan started, in milliseconds since 1970: it may have missed files used since.
   */
  reconcile(scanned: readonly FileInfo[], startedAt: number): Promise<void>
}

// Milliseconds. The time of a file is not exactly that of the system clock.
const clockTolerance = 1_000

/**
 * Creates a least-recently-used quota.
 *
 * @param maxBytes Bound of all files together, in bytes on the disk.
 * @param evict Removes a file.
 */
export function createDiskQuota(maxBytes: number, evict: (name: string) => void): DiskQuota {
  let files = createFiles()
  let bound = maxBytes
  let isComplete = false
  // What has changed since a reconciliation began; `undefined`: removed.
  let changes: Map<string, FileInfo | undefined> | undefined

  const remove = (name: string) => {
    files.delete(name)
    changes?.set(name, undefined)
  }
  const evictBeyond = (bytes: number) => {
    while (files.calculatedSize > bytes) {
      const oldest = files.pop()
      if (!oldest) return
      changes?.set(oldest.name, undefined)
      evict(oldest.name)
    }
  }

  return {
    touch(name, size) {
      if (!files.has(name)) bound = Math.min(maxBytes, bound + size / 8)
      const file = { name, size, lastUsed: Date.now() }
      files.set(name, file)
      changes?.set(name, file)
      evictBeyond(bound)
    },
    remove,
    has: (name) => files.has(name),
    shrink() {
      if (!isComplete) return false
      bound = (files.calculatedSize / 8) * 7
      evictBeyond(bound)
      return true
    },
    async reconcile(scanned, startedAt) {
      changes = new Map()
      const latest = Date.now() + clockTolerance
      // A timestamp in the future was written before the clock was set back. Trusting it would evict newer files first.
      const correct = (file: FileInfo) => (file.lastUsed > latest ? { ...file, lastUsed: 0 } : file)
      const merged = new Map<string, FileInfo>()
      const inMemory = [...files.values()]
      await forEachInSteps(scanned, (file) => merged.set(file.name, correct(file)))
      await forEachInSteps(inMemory, (known) => {
        const file = correct(known)
        const onDisk = merged.get(file.name)
        if (onDisk ? file.lastUsed > onDisk.lastUsed : file.lastUsed >= startedAt) merged.set(file.name, file)
      })
      const byLastUse = await sortInSteps([...merged.values()], ({ lastUsed }) => lastUsed)
      const corrected = createFiles()
      await forEachInSteps(byLastUse, (file) => corrected.set(file.name, file))
      for (const [name, file] of changes) {
        if (file) corrected.set(name, file)
        else corrected.delete(name)
      }
      changes = undefined
      files = corrected
      isComplete = true
      evictBeyond(bound)
    },
  }
}

/** The least recently used first. A `Map` takes longer to find its first key the more were deleted before that. */
function createFiles(): LRUCache<string, FileInfo> {
  // The bound is not one of its own, since it changes.
  return new LRUCache({ maxSize: Number.MAX_SAFE_INTEGER, sizeCalculation: ({ size }) => size })
}
