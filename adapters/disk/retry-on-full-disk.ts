import { isDiskFull } from './write-file-atomic.js'

// Milliseconds. When there is no room although some was made, other programs have filled the disk, and would fill that as well.
const pause = 60_000

/** Writes a file, unless it is not wanted any more: returns `false` then. */
export type Write = () => Promise<boolean>

/**
 * Creates the function that writes a file, and once more after room was made where the disk is full.
 *
 * @param makeRoom Removes files; `undefined` when it cannot yet. Never rejects.
 */
export function createRetryOnFullDisk(makeRoom: () => Promise<void> | undefined): (write: Write) => Promise<boolean> {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (write) => {
    try {
      return await write()
    } catch (error) {
      const roomMade = isDiskFull(error) && performance.now() - failedAt >= pause ? makeRoom() : undefined
      if (!roomMade) throw error
      failedAt = performance.now()
      await roomMade
      // Where it was the only one, the room is its own.
      if (!(await write())) throw error
      failedAt = Number.NEGATIVE_INFINITY
      return true
    }
  }
}
