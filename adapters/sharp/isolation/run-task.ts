import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { optionError } from '../../../core/option-error.js'
import type { Isolation, ResolvedOptions } from '../options.js'
import { renderImage } from '../transforms/render-image.js'
import type { RunTask } from '../transforms/task.js'
import { startTransformProcess, type TransformProcess } from './transform-process.js'

/**
 * Chooses where images are rendered: in processes of their own, or in this one. The caller limits how many run at once.
 *
 * @throws TypeError when the option says `process` and the program of the processes is missing.
 */
export function createTaskRunner(options: ResolvedOptions): { isolation: Isolation; run: RunTask } {
  const { transformTimeout: timeout, maxWorkerMemory: maxMemory } = options
  const file = options.isolation === 'none' ? undefined : chooseWorkerFile(options)
  if (file === undefined) return { isolation: 'none', run: (task) => renderImage(task, timeout) }
  const pool = pools.get(file) ?? createPool(file)
  pools.set(file, pool)
  const run: RunTask = async (task) => {
    const worker = await pool.take()
    try {
      return await worker.run({ ...task, maxMemory }, timeout)
    } finally {
      pool.release(worker)
    }
  }
  return { isolation: 'process', run }
}

// After 640-pixel images a process has some 100 MB. Memory that C has freed returns to the system when it ends.
const maxIdleMemory = 192 * 1024 * 1024
const maxIdleTime = 60_000 // milliseconds

/** The processes of a program, which all services of this process share. */
const pools = new Map<string, ReturnType<typeof createPool>>()

function createPool(file: string) {
  // The one used last is used next, so that those not needed stay idle and end.
  const idle: TransformProcess[] = []
  const timers = new WeakMap<TransformProcess, NodeJS.Timeout>()
  const endIdle = (worker: TransformProcess) => {
    idle.splice(idle.indexOf(worker), 1)
    worker.end()
  }
  return {
    /** Returns a process that is idle, or a new one. */
    async take(): Promise<TransformProcess> {
      for (let worker = idle.pop(); worker; worker = idle.pop()) {
        clearTimeout(timers.get(worker))
        if (worker.isAlive()) return worker
      }
      return await startTransformProcess(file)
    },
    release(worker: TransformProcess) {
      if (!worker.isAlive()) return
      if (worker.getMemory() > maxIdleMemory) return worker.end()
      timers.set(worker, setTimeout(endIdle, maxIdleTime, worker).unref())
      idle.push(worker)
    },
  }
}

const missingWorker = 'the file sitewright/sharp/worker is missing; set workerFile where a bundler moved it'

function chooseWorkerFile({ isolation, workerFile, log }: ResolvedOptions): string | undefined {
  // Bun and Deno have `fork`, but not all that is needed here.
  if (isolation === undefined && (process.versions.bun || process.versions.deno)) return undefined
  const found = workerFile ?? findWorkerFile()
  if (found === undefined && isolation === 'process') {
    throw optionError('workerFile', 'the program of the image processes', undefined, missingWorker)
  }
  if (found === undefined) log('Images are decoded in the process of the site', { reason: missingWorker })
  return found
}

// Only in bundles of webpack and Rspack.
declare const __webpack_require__: unknown

/**
 * Finds the program of the transform processes: beside this file, or, when a bundler moved this code, in the package as
 * it is installed where the bundle or the working directory is. Returns `undefined` when there is none.
 */
function findWorkerFile(): string | undefined {
  // webpack puts in the path of the machine that built, where another version may be installed when the site runs.
  const isBundled = typeof __webpack_require__ !== 'undefined'
  const bundled = isBundled ? resolvePackage(join(process.cwd(), 'index.js')) : undefined
  if (bundled) return bundled
  // Bundlers for CommonJS leave it undefined, some put in a path of the machine that built.
  const here = import.meta.url as string | undefined
  return findBeside() ?? (here && resolvePackage(here)) ?? resolvePackage(join(process.cwd(), 'index.js'))
}

// Written so that @vercel/nft finds the file, with which Next.js chooses what `output: 'standalone'` copies; and not as
// `new URL('./transform-worker.js', import.meta.url)`, which webpack and Turbopack take for an asset: they copy that file,
// without those that it imports.
function findBeside(): string | undefined {
  try {
    const file = join(dirname(fileURLToPath(import.meta.url)), 'transform-worker.js')
    // Turbopack would trace the whole project for a file that it does not know.
    return existsSync(/* turbopackIgnore: true */ file) ? file : undefined
  } catch {
    return undefined // not the URL of a file
  }
}

function resolvePackage(from: string): string | undefined {
  try {
    return createRequire(from).resolve('sitewright/sharp/worker')
  } catch {
    return undefined
  }
}
