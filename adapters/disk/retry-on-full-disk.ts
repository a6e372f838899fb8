import { withTimeout } from '../../core/timeout.js'
import { isDiskFull } from './write-file-atomic.js'

// Milliseconds.
const longestWait = 1_000
// When there is no room although some was made, other programs have filled the disk, and would fill that as well.
const pause = 60_000

/**
 * Creates the function that writes a file, and once more after room was made where the disk is full.
 *
 * @param makeRoom Removes files. Never rejects.
 */
export function createRetryOnFullDisk(makeRoom: () => Promise<void>): (write: () => Promise<void>) => Promise<void> {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (write) => {
    try {
      await write()
    } catch (error) {
      if (!isDiskFull(error) || performance.now() - failedAt < pause) throw error
      failedAt = performance.now()
      await withTimeout(longestWait, makeRoom()).catch(() => {})
      await write()
      failedAt = Number.NEGATIVE_INFINITY
    }
  }
}
