import { optionError } from '../../../core/option-error.js'
import { maxTimeout } from '../../../core/timeout.js'
import { ProcessorTimeExceeded, TransformTimeout } from '../failure.js'
import type { Isolation, ResolvedOptions } from '../options.js'
import { type RunTask, renderImage, type Stage } from '../transforms/render-image.js'
import { getProcessPool } from './process-pool.js'
import type { TaskLimits } from './transform-process.js'
import { findWorkerFile } from './worker-file.js'

/** Milliseconds by the clock for each of processor time: on a machine that does other things, these have priority. */
const wallClockFactor = 10
/**
 * Shares of the processor time. Of the default of 10 s, the slowest light images take some 0.7 s (AVIF of 8 megapixels to
 * AVIF), and most large photographs less than 1 s as AVIF.
 */
const shares: Readonly<Record<Stage, number>> = { light: 1 / 10, heavy: 1 / 4, second: 1 }
/** Share of its time for which the site must have had a processor, so that a transform was too slow and not the machine. */
const minUsedShare = 0.5

const missingWorker = 'the file sitewright/sharp/worker is missing; set workerFile where a bundler moved it'

/**
 * Chooses where images are rendered: in processes of their own, or in this one.
 *
 * @throws TypeError when the option says `process` and the program of the processes is missing.
 */
export function createTaskRunner(options: ResolvedOptions): { isolation: Isolation; run: RunTask } {
  const { transformTimeout, maxWorkerMemory: maxMemory } = options
  const file = options.isolation === 'none' ? undefined : chooseWorkerFile(options)
  if (file === undefined) return { isolation: 'none', run: runHere(transformTimeout) }
  return { isolation: 'process', run: runInProcesses(file, { processorTime: transformTimeout, maxMemory }) }
}

/** Nobody can tell its processor time from that of the site, so the limit is by the clock. */
function runHere(timeout: number): RunTask {
  return async (task) => {
    const start = process.cpuUsage()
    const image = await renderImage(task, timeout).catch((cause) => {
      if (!(cause instanceof TransformTimeout)) throw cause
      const { user, system } = process.cpuUsage(start)
      const isSlow = (user + system) / 1000 >= minUsedShare * timeout
      throw isSlow ? new ProcessorTimeExceeded(timeout, { cause }) : cause
    })
    return image ?? 'heavy'
  }
}

/**
 * A header does not tell all that makes decoding slow. So the first stages have only a share of the time, after which an image
 * that turns out to be slow leaves its place to others.
 */
function runInProcesses(file: string, { processorTime, maxMemory }: Omit<TaskLimits, 'timeout'>): RunTask {
  const runLight = getProcessPool(file, 'light')
  const runHeavy = getProcessPool(file, 'heavy')
  const limitsOf = (stage: Stage): TaskLimits => ({
    processorTime: processorTime * shares[stage],
    // Not less for light images: when others have the processor, that says nothing about them.
    timeout: Math.min(wallClockFactor * processorTime * Math.max(shares.heavy, shares[stage]), maxTimeout),
    maxMemory,
  })
  return async (task, stage, signal) => {
    const run = stage === 'light' ? runLight : runHeavy
    try {
      return (await run(task, limitsOf(stage), signal)) ?? 'heavy'
    } catch (error) {
      const isOver = error instanceof ProcessorTimeExceeded || error instanceof TransformTimeout
      if (isOver && stage !== 'second') return 'slow'
      throw error
    }
  }
}

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
