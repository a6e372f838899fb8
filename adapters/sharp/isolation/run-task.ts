import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import { optionError } from '../../../core/option-error.js'
import { createRequire } from '../../node/create-require.js'
import type { Isolation, ResolvedOptions } from '../options.js'
import { renderImage } from '../transforms/render-image.js'
import type { RunTask } from '../transforms/task.js'
import { startTransformProcess, type TransformProcess } from './transform-process.js'

// Milliseconds. At the lowest priority, an AVIF that is 3840 pixels wide takes minutes while the machine is busy.
const refineTimeout = 300_000

/**
 * Chooses where images are rendered: in separate processes, or in this one. The caller limits how many transforms run
 * at once. Each image that is refined gets its own process, with the lowest priority.
 *
 * @throws TypeError when `isolation` is `process` and the worker program is missing.
 */
export function createTaskRunner(options: ResolvedOptions): { isolation: Isolation; run: RunTask } {
  const { transformTimeout, maxWorkerMemory: maxMemory } = options
  const file = options.isolation === 'none' ? undefined : chooseWorkerFile(options)
  if (file === undefined) return { isolation: 'none', run: (task) => renderImage(task, transformTimeout) }
  const run: RunTask = async (task, signal) => {
    const { isRefined = false } = task
    const pool = pools.memo(file)
    // A refined image gets a new process, because no visitor waits for its start.
    const worker = isRefined ? await startTransformProcess(file, constants.priority.PRIORITY_LOW) : await pool.take()
    const end = () => worker.end()
    signal?.addEventListener('abort', end, { once: true })
    try {
      signal?.throwIfAborted()
      return await worker.run({ ...task, maxMemory }, isRefined ? refineTimeout : transformTimeout)
    } finally {
      signal?.removeEventListener('abort', end)
      if (isRefined) worker.end()
      else pool.release(worker)
    }
  }
  return { isolation: 'process', run }
}

// After rendering 640-pixel images, a process takes some 100 MB. Memory that C code has freed returns to the system
// only when the process ends.
const maxIdleMemory = 192 * 1024 * 1024
const maxIdleTime = 60_000 // milliseconds

/** The pools of processes, by worker program. All services in this process share them. */
const pools = new LRUCache({ max: 100, memoMethod: (file: string) => createPool(file) })

function createPool(file: string) {
  // The most recently used process is used next, so processes that are not needed stay idle and end.
  const idle = new LRUCache<TransformProcess, true>({
    max: 1_000,
    ttl: maxIdleTime,
    ttlAutopurge: true,
    dispose: (_, worker, reason) => reason !== 'delete' && worker.end(),
  })
  return {
    /** Returns an idle process, or starts a new one. */
    async take(): Promise<TransformProcess> {
      for (const worker of [...idle.keys()]) {
        idle.delete(worker)
        if (worker.isAlive()) return worker
      }
      return await startTransformProcess(file)
    },
    release(worker: TransformProcess) {
      if (!worker.isAlive()) return
      if (worker.getMemory() > maxIdleMemory) worker.end()
      else idle.set(worker, true)
    },
  }
}

const missingWorker = 'the file sitewright/sharp/worker is missing; set workerFile where a bundler moved it'

function chooseWorkerFile({ isolation, workerFile, log }: ResolvedOptions): string | undefined {
  // Bun and Deno have `fork`, but lack other features that are needed here.
  if (isolation === undefined && (process.versions.bun || process.versions.deno)) return undefined
  const found = workerFile ?? findWorkerFile()
  if (found === undefined && isolation === 'process') {
    throw optionError('workerFile', 'the program of the image processes', undefined, missingWorker)
  }
  if (found === undefined) log('Images are decoded in the process of the site', { reason: missingWorker })
  return found
}

// Defined only in webpack and Rspack bundles.
declare const __webpack_require__: unknown

/**
 * Finds the worker program: beside this file or, when a bundler moved this code, in the package that is installed at
 * the location of the bundle or of the working directory. Returns `undefined` when it is missing.
 */
function findWorkerFile(): string | undefined {
  // webpack replaces `import.meta.url` with a path of the build machine, where another version may be installed when
  // the site runs.
  const isBundled = typeof __webpack_require__ !== 'undefined'
  const bundled = isBundled ? resolvePackage(join(process.cwd(), 'index.js')) : undefined
  if (bundled) return bundled
  // Bundlers that emit CommonJS leave `import.meta.url` undefined; some insert a path of the build machine.
  const here = import.meta.url as string | undefined
  return findBeside() ?? (here && resolvePackage(here)) ?? resolvePackage(join(process.cwd(), 'index.js'))
}

// Written so that @vercel/nft finds the file: with that tool, Next.js chooses the files that `output: 'standalone'`
// copies. Not written as `new URL('./transform-worker.js', import.meta.url)`, which webpack and Turbopack treat as an
// asset: they would copy that file without the files that it imports.
function findBeside(): string | undefined {
  try {
    const file = join(dirname(fileURLToPath(import.meta.url)), 'transform-worker.js')
    // Otherwise Turbopack would trace the whole project, because it does not know which file this is.
    return existsSync(/* turbopackIgnore: true */ file) ? file : undefined
  } catch {
    return undefined // not a file URL
  }
}

function resolvePackage(from: string): string | undefined {
  try {
    return createRequire(from).resolve('sitewright/sharp/worker')
  } catch {
    return undefined
  }
}
