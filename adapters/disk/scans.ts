import type { DiskQuota } from './disk-quota.js'
import { type FileInfo, scanDirectory } from './scan-directory.js'
import { clockTolerance } from './wall-clock.js'

export interface ScansOptions {
  directory: string
  quota: DiskQuota
  /** Bound of all files together, in bytes. */
  maxBytes: number
  /** Maximum size of an entry file, in bytes. */
  maxFileBytes: number
  /** Returns what waits to be written, which no scan finds. */
  waiting: () => Omit<FileInfo, 'lastUsed'>[]
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
export function createScans({ directory, quota, maxBytes, maxFileBytes, waiting, onError }: ScansOptions): Scans {
  let written = 0
  const scan = async (latest?: number) => {
    written = 0
    const startedAt = Date.now()
    const scanned = await scanDirectory(directory, maxFileBytes, latest)
    await quota.reconcile([...scanned, ...waiting().map((file) => ({ ...file, lastUsed: startedAt }))], startedAt)
  }
  let scanning = scan().catch(onError)
  return {
    countWritten(bytes) {
      written += bytes
      if (written < maxBytes / 8) return
      scanning = scanning.then(() => (written > 0 ? scan().catch(onError) : undefined))
    },
    removeFuture() {
      scanning = scanning.then(() => scan(Date.now() + clockTolerance)).catch(onError)
    },
  }
}
