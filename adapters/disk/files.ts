import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** A cache file that was found. */
export interface FoundFile {
  name: string
  /** Space that it takes on the disk, in bytes. */
  size: number
  /** When it was last used, in milliseconds since 1970. */
  usedAt: number
}

const entryName = /^[0-9a-f]{64}\.entry$/
const leftoverName = /^(?:[0-9a-f]{64}\.entry|tags\.log)\.(?<host>[\w-]+)\.(?<pid>\d+)\.(?<life>[\w-]+)\.tmp$/
const blockBytes = 4096
const longestWrite = 60 * 60 * 1000

const host = hostname().replace(/[^\w-]/g, '-') || 'host'
// Tells this process from an earlier one of the same number, as it is in a container that was restarted.
const life = randomUUID()

/** The file name of a key. Only files with such a name are ever read or removed. */
export function fileNameOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex')}.entry`
}

/** The space that so many bytes take on the disk. */
export function sizeOnDisk(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes
}

/**
 * Writes a file whole or not at all: to another name first, then renamed. Makes the directory when there is none.
 *
 * @param flush Whether it is on the disk when this resolves, also its name. Default `false`: nobody waits for the disk,
 * and whoever reads must be able to tell what a loss of power has left.
 * @throws what the file system says; nothing is left behind then.
 */
export async function writeWhole(directory: string, name: string, bytes: Uint8Array, flush = false): Promise<void> {
  const temporary = join(directory, `${name}.${host}.${process.pid}.${life}-${randomUUID()}.tmp`)
  const write = () => writeFile(temporary, bytes, { flag: 'wx', flush })
  try {
    await write().catch(async (error) => {
      if (error.code !== 'ENOENT') throw error
      // Somebody removed the whole directory while the site ran, as one does with caches.
      await mkdir(directory, { recursive: true })
      await write()
    })
    await rename(temporary, join(directory, name))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  if (flush) await flushDirectory(directory)
}

/** Has the names in a directory on the disk when it resolves. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return // opens no directories
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}

/**
 * Lists the cache files of a directory, the least recently used first, and removes what killed writers left. Makes the
 * directory when there is none.
 */
export async function scanDirectory(directory: string): Promise<FoundFile[]> {
  await mkdir(directory, { recursive: true })
  const found: FoundFile[] = []
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const leftover = leftoverName.exec(name)?.groups
    if (!leftover && !entryName.test(name)) continue
    const stats = await stat(path).catch(() => undefined)
    if (!stats) continue // another process was faster
    if (leftover) {
      if (isDead(leftover) || Date.now() - stats.mtimeMs > longestWrite) await rm(path, { force: true })
    } else found.push({ name, size: sizeOnDisk(stats.size), usedAt: Math.max(stats.mtimeMs, stats.atimeMs) })
  }
  return found.sort((a, b) => a.usedAt - b.usedAt)
}

/** Whether the writer of a temporary file is certainly gone. Of another machine's nothing is known. */
function isDead(writer: Record<string, string>): boolean {
  if (writer.host !== host) return false
  const pid = Number(writer.pid)
  if (pid === process.pid) return !writer.life?.startsWith(life)
  try {
    process.kill(pid, 0) // asks only
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
