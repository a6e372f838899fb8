import type { Changes } from './changes.js'
import type { DiskQuota } from './disk-quota.js'
import { type FileInfo, scanDirectory } from './scan-directory.js'
import { clockTolerance } from './wall-clock.js'

export interface ScansOptions {
  directory: string
  changes: Changes
  quota: DiskQuota
  /** Bound of all files together, in bytes. */
  maxBytes: number
  /** Maximum size of an entry file, in bytes. */
  maxFileBytes: number
  /** Returns what waits to be written, which no scan finds. */
  waiting: () => Omit<FileInfo, 'lastUsed'>[]
  /** Whether a file that may be found is still to be removed. */
  isRemoved: (name: string) => boolean
  onError: (error: unknown) => void
}

/** Looks at the files of a directory, which other processes write, too, one time after the other. */
export interface Scans {
  /** Scans whenever this process has written an eighth of the bound. */
  countWritten(bytes: number): void
  /** Removes what is dated later than now. Otherwise the clock, which was set back, would reach these dates, and they would seem new. */
  removeFuture(): void
}

/** Begins with a scan. Nothing waits for it: until it is done, files of earlier runs do not count against the bound. */
export function createScans(options: ScansOptions): Scans {
  const { directory, changes, quota, maxBytes, maxFileBytes, waiting, isRemoved, onError } = options
  let written = 0
  let isScanNext = false
  const scan = async (latest?: number) => {
    written = 0
    const startedAt = Date.now()
    const found = await scanDirectory(directory, { changes, maxFileBytes, latest, onError })
    const pending = waiting().map((file) => ({ ...file, lastUsed: startedAt }))
    await quota.reconcile([...found.filter(({ name }) => !isRemoved(name)), ...pending], startedAt)
  }
  let scanning = scan().catch(onError)
  return {
    countWritten(bytes) {
      written += bytes
      if (written < maxBytes / 8 || isScanNext) return
      isScanNext = true
      scanning = scanning.then(() => {
        isScanNext = false
        return scan().catch(onError)
      })
    },
    removeFuture() {
      scanning = scanning.then(() => scan(Date.now() + clockTolerance)).catch(onError)
    },
  }
}
