import type { FileInfo } from './scan-directory.js'

/** Tracks the files of a directory and keeps their total size within a bound. */
export interface DiskQuota {
  /** Records a file as the most recently used. Evicts the least recently used ones until the total fits. */
  touch(name: string, size: number): void
  /** Forgets a file that is gone. */
  remove(name: string): void
  /**
   * Corrects the records from a scan of the directory, since other processes write and remove files too. Files that were
   * last used in the future count as the least recently used.
   *
   * @param scanned Of several with one name, the last counts.
   * @param startedAt When the scan started, in milliseconds since 1970: it may have missed files used since.
   */
  reconcile(scanned: readonly FileInfo[], startedAt: number): void
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
  // Least recently used first.
  let files = new Map<string, Omit<FileInfo, 'name'>>()
  let total = 0

  const remove = (name: string) => {
    total -= files.get(name)?.size ?? 0
    files.delete(name)
  }
  const touch = (name: string, size: number, lastUsed = Date.now()) => {
    remove(name)
    files.set(name, { size, lastUsed })
    total += size
    for (const [oldest] of files) {
      if (total <= maxBytes) break
      remove(oldest)
      evict(oldest)
    }
  }

  return {
    touch: (name, size) => touch(name, size),
    remove,
    reconcile(scanned, startedAt) {
      const latest = Date.now() + clockTolerance
      // A timestamp in the future was written before the clock was set back. Trusting it would evict newer files first.
      const correct = (file: FileInfo) => (file.lastUsed > latest ? { ...file, lastUsed: 0 } : file)
      const merged = new Map(scanned.map((file) => [file.name, correct(file)]))
      for (const [name, inMemory] of files) {
        const file = correct({ name, ...inMemory })
        const onDisk = merged.get(name)
        if (onDisk ? file.lastUsed > onDisk.lastUsed : file.lastUsed >= startedAt) merged.set(name, file)
      }
      files = new Map()
      total = 0
      const byLastUse = [...merged.values()].sort((a, b) => a.lastUsed - b.lastUsed)
      for (const { name, size, lastUsed } of byLastUse) touch(name, size, lastUsed)
    },
  }
}
