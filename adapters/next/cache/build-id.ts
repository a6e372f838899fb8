import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../../core/cache/log.js'

/**
 * The name of the build that runs, as `next build` left it beside the server's files; `undefined` while there is none:
 * then nothing may be kept, since nobody could tell which build it is of.
 */
export function readBuildId(serverDistDir: string | undefined, isDev: boolean, log: Log): string | undefined {
  if (isDev) return 'development'
  try {
    return readFileSync(join(serverDistDir ?? '', '..', 'BUILD_ID'), 'utf8').trim() || undefined
  } catch (error) {
    log('Next.js cache: nothing is kept, since the BUILD_ID of the build cannot be read', {
      reason: error instanceof Error ? error.message : String(error),
    })
    return undefined
  }
}
