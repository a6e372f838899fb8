import { openRegularFile, readBytes } from '../node/regular-file.js'
import { createTransferBudget } from '../node/transfer-budget.js'
import { type DatedEntry, decodeEntryFile } from './entry-file.js'
import { readInThread } from './threads.js'

// More than that is read one after the other: small files are not to wait behind large ones, whoever asks for those.
const maxSmallBytes = 64 * 1024
// Milliseconds.
const readTimeout = 250

/** There was no room in time for the bytes of a file. */
export class NoRoomError extends Error {
  override name = 'NoRoomError'
}

/** What a file holds. */
export interface EntryFile {
  /** `undefined`: it is no entry of the key. */
  stored: DatedEntry | undefined
  /** Of the file, in bytes. */
  size: number
}

/**
 * Creates the function that reads an entry from its file.
 *
 * @param maxFileBytes Maximum size of a file: a larger one is no entry.
 * @throws NoRoomError, NotRegularFileError, and errors of the file system, such as `ENOENT`.
 */
export function createEntryReader(maxFileBytes: number) {
  const readLarge = createTransferBudget({ max: 1 })
  return async (key: string, path: string): Promise<EntryFile> => {
    // A thread for each step, and none for what waits.
    const { handle, stats } = await readInThread(() => openRegularFile(path))
    try {
      const size = Number(stats.size)
      if (size > maxFileBytes) return { stored: undefined, size }
      const read = () => readInThread(() => readBytes(handle, 0, size))
      const file = await (size <= maxSmallBytes ? read() : readLarge(1, readTimeout, read))
      if (!file) throw new NoRoomError('too many large files are being read')
      return { stored: decodeEntryFile(key, file), size }
    } finally {
      await handle.close()
    }
  }
}
