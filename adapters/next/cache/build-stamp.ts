import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stamp, TagIndex } from '../../../core/cache/index.js'
import { isStamp } from '../../../core/cache/internal.js'
import { withTimeout } from '../../../core/timeout.js'
import { buildIdFile } from './next-build.js'

// Milliseconds. The processes of a build are busy with its modules.
const timeout = 10_000
const pause = 100

/** Returns the file of the stamp, in a folder that `output: 'standalone'` copies as it is. */
function stampFile(serverDistDir: string): string {
  const folder = existsSync(join(serverDistDir, 'app')) ? 'app' : 'pages'
  return join(serverDistDir, folder, 'sitewright-stamp.json')
}

/**
 * Writes the current stamp beside what `next build` makes, in the phase that collects page data. `BUILD_ID` comes after it
 * and before the first render, so without it a purge during any render is newer than the stamp. Tries until then, since the
 * tag index may be connecting, and writes nothing if it cannot be reached.
 */
export async function recordBuildStamp(serverDistDir: string, tagIndex: TagIndex): Promise<void> {
  const isCollecting = () => !existsSync(buildIdFile(serverDistDir)) && !existsSync(stampFile(serverDistDir))
  while (isCollecting()) {
    const stamp = await withTimeout(timeout, (async () => tagIndex.stamp())()).catch(() => undefined)
    if (isStamp(stamp) && isCollecting()) writeFileSync(stampFile(serverDistDir), JSON.stringify(stamp))
    else await sleep(pause, undefined, { ref: false })
  }
}

/** Reads the stamp that was current before the build rendered anything; `undefined` when the build recorded none. */
export function readBuildStamp(serverDistDir: string): Stamp | undefined {
  try {
    const stamp: unknown = JSON.parse(readFileSync(stampFile(serverDistDir), 'utf8'))
    return isStamp(stamp) ? stamp : undefined
  } catch {
    return undefined
  }
}
