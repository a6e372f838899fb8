import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Log } from '../../../core/log.js'

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

/**
 * Whether the Next.js that runs takes the lifetime of a page from the handler, as 16.4 and later do. It tells the handler
 * nothing about itself, so the site's own package is looked at; not found, it counts as an older one.
 */
export function takesLifetimes(serverDistDir: string = process.cwd()): boolean {
  try {
    const { version } = createRequire(join(serverDistDir, 'any.js'))('next/package.json') as { version: string }
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major > 16 || (major === 16 && minor >= 4)
  } catch {
    return false
  }
}
