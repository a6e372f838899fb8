import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describeError, type Log } from '../../../core/log.js'

/** Whether `next build` runs. It renders too, often on a machine without Redis. */
export const isBuilding = () => process.env.NEXT_PHASE === 'phase-production-build'

/** Whether `next dev` runs. Not all of its processes pass `dev` to their handlers. */
export const isNextDev = (dev = false) => dev || process.env.NODE_ENV === 'development'

/** Returns the file in which `next build` notes the id of the build. */
export const buildIdFile = (serverDistDir = '') => join(serverDistDir, '..', 'BUILD_ID')

/**
 * Returns the `BUILD_ID` that `next build` wrote beside the server's files; `undefined` when it cannot be read. Nothing
 * may be stored then, since it could be served to another build.
 */
export function readBuildId(serverDistDir: string | undefined, log: Log): string | undefined {
  try {
    return readFileSync(buildIdFile(serverDistDir), 'utf8').trim() || undefined
  } catch (error) {
    log('Next.js cache: BUILD_ID cannot be read; nothing is cached', { reason: describeError(error) })
    return undefined
  }
}

/**
 * Returns whether the running Next.js reads `cacheControl` from the handler, as 16.4 and later do. Next.js does not pass
 * its version, so it is read from the site's `next` package; if that is not found, the result is `false`.
 */
export function readsCacheControl(serverDistDir: string = process.cwd()): boolean {
  try {
    const { version } = createRequire(join(serverDistDir, 'any.js'))('next/package.json') as { version: string }
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major > 16 || (major === 16 && minor >= 4)
  } catch {
    return false
  }
}
