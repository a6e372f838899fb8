import type { FileInfo } from './scan-directory.js'

/** Tracks the files of a directory and keeps their total size within a bound. */
export interface DiskQuota {
  /** Records a file as the most recently used. Evicts the least recently used ones until the total fits. */
  touch(name: string, size: number): void
  /** Forgets a file that is gone. */
  remove(name: string): void
  /**
   * Corrects the records from a scan of the directory, since other processes write and remove files too.
   *
   * @param startedAt When the scan started, in milliseconds since 1970: it may have missed files used since.
   */
  reconcile(scanned: readonly FileInfo[], startedAt: number): void
}

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
      const merged = new Map(scanned.map((file) => [file.name, file]))
      for (const [name, file] of files) {
        const onDisk = merged.get(name)
        if (onDisk ? file.lastUsed > onDisk.lastUsed : file.lastUsed >= startedAt) merged.set(name, { name, ...file })
      }
      files = new Map()
      total = 0
      const byLastUse = [...merged.values()].sort((a, b) => a.lastUsed - b.lastUsed)
      for (const { name, size, lastUsed } of byLastUse) touch(name, size, lastUsed)
    },
  }
}
