import { TransformFailure } from '../failure.js'
import { ProcessKilled, startTransformProcess, type TransformProcess } from './transform-process.js'

// After 640-pixel images a process has some 100 MB. Memory that C has freed returns to the system when it ends.
const maxIdleMemory = 192 * 1024 * 1024
const maxIdleTime = 60_000

/**
 * Runs a task in a process that is idle, or in a new one, and once more when that was killed from outside. How many run at
 * once is up to the caller.
 *
 * @throws TransformFailure 503 when that was killed, too, and what `TransformProcess.run` throws.
 */
export type RunInPool = TransformProcess['run']

const pools = new Map<string, RunInPool>()

/**
 * Returns the processes of a program, which all services of this process share.
 *
 * @param kind Of the tasks. A process runs those of one kind only: after one that takes much memory it ends, and starting
 *   another one takes longer than a small image.
 */
export function getProcessPool(file: string, kind: 'light' | 'heavy'): RunInPool {
  const key = `${kind} ${file}`
  const run = pools.get(key) ?? createPool(file)
  pools.set(key, run)
  return run
}

function createPool(file: string): RunInPool {
  // The one used last is used next, so that those not needed stay idle and end.
  const idle: { worker: TransformProcess; timer: NodeJS.Timeout }[] = []

  const takeIdle = () => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer)
      if (last.worker.isAlive()) return last.worker
    }
    return undefined
  }
  const release = (worker: TransformProcess) => {
    if (!worker.isAlive()) return
    if (worker.memory() > maxIdleMemory) return worker.end()
    const timer = setTimeout(() => {
      const index = idle.findIndex((each) => each.worker === worker)
      if (index !== -1) idle.splice(index, 1)
      worker.end()
    }, maxIdleTime)
    timer.unref()
    idle.push({ worker, timer })
  }

  const runOnce: RunInPool = async (task, limits, signal) => {
    const worker = takeIdle() ?? (await startTransformProcess(file))
    try {
      signal.throwIfAborted()
      return await worker.run(task, limits, signal)
    } finally {
      release(worker)
    }
  }
  const run: RunInPool = async (task, limits, signal) => {
    try {
      return await runOnce(task, limits, signal)
    } catch (error) {
      if (!(error instanceof ProcessKilled)) throw error
    }
    // That need not be about this image: the process may have been idle, or memory short for another reason.
    return await runOnce(task, limits, signal).catch(throwKilledAgain)
  }
  return run
}

function throwKilledAgain(error: unknown): never {
  if (!(error instanceof ProcessKilled)) throw error
  throw new TransformFailure(503, 'The image process was killed', { cause: error })
}
