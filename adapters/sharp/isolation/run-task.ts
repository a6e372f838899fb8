import { optionError } from '../../../core/option-error.js'
import { TransformFailure, tookTooLong } from '../failure.js'
import type { Isolation, ResolvedOptions } from '../options.js'
import { type RunTask, renderImage } from '../transforms/render-image.js'
import { getProcessPool } from './process-pool.js'
import type { TaskLimits } from './transform-process.js'
import { findWorkerFile } from './worker-file.js'

const missingWorker = 'the file sitewright/sharp/worker is missing; set workerFile where a bundler moved it'

/**
 * Chooses where images are rendered: in processes of their own, or in this one.
 *
 * @throws TypeError when the option says `process` and the program of the processes is missing.
 */
export function createTaskRunner(options: ResolvedOptions): { isolation: Isolation; run: RunTask } {
  const { transformTimeout: timeout, maxWorkerMemory: maxMemory } = options
  const file = options.isolation === 'none' ? undefined : chooseWorkerFile(options)
  if (file !== undefined) return { isolation: 'process', run: runInProcesses(file, { timeout, maxMemory }) }
  return { isolation: 'none', run: runHere(timeout) }
}

function runHere(timeout: number): RunTask {
  return async (task) => {
    const start = process.cpuUsage()
    return await renderImage(task, timeout).catch((error) => {
      if (!isTimeout(error)) throw error
      // That of the whole process, which is at least that of the image.
      const { user, system } = process.cpuUsage(start)
      throw tookTooLong((user + system) / 1000 / timeout, error.cause)
    })
  }
}

function isTimeout(error: unknown): error is TransformFailure {
  return error instanceof TransformFailure && error.status === 504
}

/**
 * A header does not tell all that makes decoding slow. So an image that turns out to be slow leaves the place of a small
 * one, after a quarter of the time limit, and is rendered again as a heavy one, within the whole of it.
 */
function runInProcesses(file: string, limits: TaskLimits): RunTask {
  const run = getProcessPool(file)
  const lightLimits = { ...limits, timeout: limits.timeout / 4 }
  return (task, signal) => {
    if (task.allowHeavy) return run(task, limits, signal)
    return run(task, lightLimits, signal).catch((error) => {
      if (isTimeout(error)) return undefined
      throw error
    })
  }
}

function chooseWorkerFile({ isolation, workerFile, log }: ResolvedOptions): string | undefined {
  // Bun and Deno have `fork`, but not all that is needed here.
  if (isolation === undefined && (process.versions.bun || process.versions.deno)) return undefined
  const found = workerFile ?? findWorkerFile()
  if (found === undefined && isolation === 'process') {
    throw optionError('isolation', "'none'", isolation, missingWorker)
  }
  if (found === undefined) log('Images are decoded in the process of the site', { reason: missingWorker })
  return found
}
