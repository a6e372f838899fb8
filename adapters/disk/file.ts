import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import type { StoreEntry } from '../../core/cache/index.js'
import { decodeEntry, encodeHead } from '../../core/cache/internal.js'
import { optionError } from '../../core/option-error.js'
import { openRegularFile, readBytes } from '../node/regular-file.js'

/** Matches the names that {@link fileNameOf} returns. */
export const entryFileName = /^[0-9a-f]{64}\.entry$/
/** Matches the names of files that {@link writeFileAtomic} is writing. */
export const tempFileName = /^(?:[0-9a-f]{64}\.entry|tags\.log)\.[\w.-]+\.tmp$/

// Layout: SHA-256 of everything else, creation time (a double, big-endian), encoded entry.
const dateStart = 32
const entryStart = dateStart + 8

/**
 * Returns the option `directory`.
 *
 * @throws TypeError when it is not a path.
 */
export function checkDirectory(option: string, directory: unknown): string {
  if (typeof directory === 'string' && directory) return directory
  throw optionError(option, 'a path', directory, "such as '.cache/pages'")
}

/** Returns the name of the file for a key. Two keys never share a name. */
export function fileNameOf(key: string): string {
  return `${createHash('sha256').update(key, 'utf16le').digest('hex')}.entry`
}

/**
 * Encodes an entry for the file with this name.
 *
 * @param createdAt The time at which the entry's age was 0, in milliseconds since 1970.
 */
export function encodeEntryFile(name: string, entry: StoreEntry, createdAt: number): Buffer {
  const date = Buffer.alloc(entryStart - dateStart)
  date.writeDoubleBE(createdAt)
  const content = [date, encodeHead(entry), entry.body]
  return Buffer.concat([digest(name, ...content), ...content])
}

/**
 * Decodes the result of {@link encodeEntryFile}. Returns `undefined` for anything else, such as a truncated file, or a
 * file that was copied from another name. The body is a view of the given bytes.
 */
export function decodeEntryFile(name: string, file: Buffer) {
  if (file.length < entryStart) return undefined
  if (!digest(name, file.subarray(dateStart)).equals(file.subarray(0, dateStart))) return undefined
  const entry = decodeEntry(file.subarray(entryStart))
  return entry && { entry, createdAt: file.readDoubleBE(dateStart) }
}

function digest(name: string, ...content: Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(name)
  for (const part of content) hash.update(part)
  return hash.digest()
}

// The time of the last use of a file is written once a minute, in milliseconds. It orders many files, for which a
// minute is precise enough, and saves writes.
const usePrecision = 60_000

/**
 * Reads at most `maxBytes` of a file, and marks it as used: its modification time is the time of its last use.
 *
 * @throws NotRegularFileError, or the file system's error, such as `ENOENT`.
 */
export async function readAndMark(path: string, maxBytes: number): Promise<Buffer> {
  const { handle, stats } = await openRegularFile(path)
  try {
    const now = Date.now()
    // The mark is not essential: it cannot be written on a read-only file system.
    if (now - Number(stats.mtimeMs) > usePrecision) await handle.utimes(now / 1000, now / 1000).catch(() => {})
    return await readBytes(handle, 0, Math.min(Number(stats.size), maxBytes))
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file completely or not at all: it is written under a temporary name, then renamed. Creates the directory if
 * it is missing. Only the owner can access the file and the created directory, because pages may be confidential.
 *
 * @param flush Whether to flush the file and its name to the disk before this resolves.
 *   Default `false`: a power failure may leave a broken file.
 * @throws The file system's error; nothing is left behind then.
 */
export async function writeFileAtomic(path: string, bytes: Buffer, flush = false): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  if (flush) await syncDirectory(dirname(path))
}

/** Flushes the names in a directory to the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return // cannot open directories
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}

/** Whether the disk or this user's quota is full. Node has no error code for a full quota. */
export function isDiskFull(error: unknown): boolean {
  const { code, errno } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || errno === -constants.errno.EDQUOT
}
