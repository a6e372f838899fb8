import { optionError } from '../../../core/option-error.js'
import type { Isolation, ResolvedOptions } from '../options.js'
import { type RunTask, renderImage } from '../transforms/render-image.js'
import { createProcessRunner } from './process-pool.js'
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
  if (file !== undefined) return { isolation: 'process', run: createProcessRunner(file, { timeout, maxMemory }) }
  return { isolation: 'none', run: (task) => renderImage(task, timeout) }
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
