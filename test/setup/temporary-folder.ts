import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives the run a temporary directory of its own, which its tests and the processes that they start inherit, and
 * removes it with all that they left there: also what a process that was killed could not remove.
 */
export default async function createTemporaryFolder(): Promise<() => Promise<void>> {
  const previousFolder = process.env.TMPDIR
  const folder = await mkdtemp(join(tmpdir(), 'sitewright-tests-'))
  process.env.TMPDIR = folder
  // Also when the run is ended early.
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  return async () => {
    if (previousFolder === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = previousFolder
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
