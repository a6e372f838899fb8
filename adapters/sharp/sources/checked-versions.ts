import { type BigIntStats, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'

// What https://man7.org/linux/man-pages/man2/statfs.2.html says of file systems whose metadata is in this machine's memory
// or on its disk: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlayfs. Not those of a network or of a program (FUSE).
const localTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630])
const maxFiles = 1_000
const defaultTtl = 1_000

/** Versions of files that were checked a moment ago. See decision 14. */
export interface CheckedVersions {
  /** Returns the version of a file that was checked, while that is still the same file and unchanged. */
  get(file: string): string | undefined
  /** Remembers what a check of a file found, if its file system answers at once. */
  add(file: string, stats: BigIntStats, version: string): Promise<void>
}

/**
 * Creates an empty list, bounded to 1,000 files. It asks the file system synchronously, which takes a twentieth of the
 * processor time of a check by the threads of libuv's pool.
 *
 * @param ttl Milliseconds after which a file is checked again. Default 1,000.
 */
export function createCheckedVersions(ttl = defaultTtl): CheckedVersions {
  const checked = new LRUCache<string, { stats: BigIntStats; version: string }>({ max: maxFiles, ttl })
  const localDevices = new LRUCache<bigint, boolean>({ max: maxFiles })

  const isLocal = async (file: string, { dev }: BigIntStats): Promise<boolean> => {
    const known = localDevices.get(dev)
    if (known !== undefined) return known
    const found = process.platform === 'linux' && (await hasLocalType(file))
    localDevices.set(dev, found)
    return found
  }
  return {
    get(file) {
      const last = checked.get(file)
      if (!last) return undefined
      if (isSameFile(last.stats, readStats(file))) return last.version
      checked.delete(file)
      return undefined
    },

    async add(file, stats, version) {
      if (await isLocal(file, stats)) checked.set(file, { stats, version })
    },
  }
}

async function hasLocalType(file: string): Promise<boolean> {
  const { type } = await statfs(file).catch(() => ({ type: 0 }))
  return localTypes.has(type)
}

function readStats(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined // the check says why
  }
}

/** As far as the file system can tell: whoever writes to a file or moves it changes its `ctime`. */
function isSameFile(a: BigIntStats, b: BigIntStats | undefined): boolean {
  return a.ino === b?.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
}
