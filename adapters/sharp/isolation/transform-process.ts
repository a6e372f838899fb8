import { type ChildProcess, fork } from 'node:child_process'
import { constants, getPriority, setPriority } from 'node:os'
import {
  CorruptOriginal,
  ImageFailure,
  ProcessorTimeExceeded,
  RejectedOriginal,
  TransformFailure,
  TransformTimeout,
} from '../failure.js'
import type { RenderedImage, RenderTask } from '../transforms/render-image.js'
import { rendererVersion } from '../transforms/renderer-version.js'
import type { ProcessUsage, WorkerMessage } from './messages.js'
import { listThreads, readMemory, readProcessorTime } from './process-usage.js'
import { sendTask } from './send-task.js'
import { workerEnvironment } from './worker-environment.js'

// Milliseconds.
const startTimeout = 30_000
const usageInterval = 50
/** A transform that nobody waits for may still end, which is cheaper than another process. */
const abortGrace = 250

/** Bounds of one task. */
export interface TaskLimits {
  /** Maximum processor time in milliseconds. */
  processorTime: number
  /** Maximum wall-clock time in milliseconds, which also ends a process that hangs without taking processor time. */
  timeout: number
  /** Maximum resident memory of the process in bytes. */
  maxMemory: number
}

/** Somebody else killed the process: the kernel when memory ran out, or an operator. */
export class ProcessKilled extends Error {
  override name = 'ProcessKilled'
}

/** A process that renders one image at a time. */
export interface TransformProcess {
  /**
   * Kills the process beyond a limit, and a little after the signal aborted.
   *
   * @throws ImageFailure, {@link ProcessKilled}, or the reason of the signal.
   */
  run(task: RenderTask, limits: TaskLimits, signal: AbortSignal): Promise<RenderedImage | undefined>
  /** Resident memory in bytes after the last task. */
  memory(): number
  isAlive(): boolean
  end(): void
}

/**
 * Starts a process, which ends when this one does and does not keep it from ending.
 *
 * @param file The program, `transform-worker.js`.
 * @throws Error when it does not start; {@link ProcessKilled} when it was killed then.
 */
export async function startTransformProcess(file: string): Promise<TransformProcess> {
  const child = fork(file, [], {
    serialization: 'advanced',
    // Nothing of the site's is inherited but the channel: not its output, debugger or loaders.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: workerEnvironment(),
  })
  lowerPriority(child)
  let usage: ProcessUsage = { memory: 0, processorTime: 0 }
  let settle: ((message: WorkerMessage | Error) => void) | undefined
  let endReason: unknown
  let isReady = false

  const end = (reason?: unknown) => {
    endReason ??= reason
    child.kill('SIGKILL')
  }
  /** Waits for the answer to one task, or the end of the process. */
  const nextMessage = () =>
    new Promise<Exclude<WorkerMessage, { type: 'usage' }>>((resolve, reject) => {
      // Whoever waits keeps the site from ending.
      setReferenced(child, true)
      settle = (message) => {
        settle = undefined
        setReferenced(child, false)
        if (message instanceof Error || message.type === 'usage') reject(endReason ?? message)
        else resolve(message)
      }
    })
  const onEnd = (error: Error) => settle?.(error)
  child.on('message', (message: WorkerMessage) => {
    if ('memory' in message) usage = message
    if (message.type !== 'usage') settle?.(message)
  })
  child.on('error', onEnd)
  child.on('exit', (code, signal) => {
    const EndError = signal === 'SIGKILL' ? ProcessKilled : Error
    const hint = isReady || signal ? '' : `: files that it imports may be missing, see by node ${file}`
    onEnd(new EndError(`the image process ended with ${signal ?? code}${hint}`))
  })
  child.on('disconnect', () => end())

  const memory = () => (child.pid && readMemory(child.pid)) || usage.memory
  const processorTime = () => (child.pid && readProcessorTime(child.pid)) || usage.processorTime
  const run: TransformProcess['run'] = async (task, limits, signal) => {
    const startTime = processorTime()
    const checkUsage = () => {
      if (memory() > limits.maxMemory) end(new TransformFailure(422, 'Rendering the image took too much memory'))
      if (processorTime() - startTime > limits.processorTime) end(new ProcessorTimeExceeded(limits.processorTime))
    }
    const onTimeout = () => {
      checkUsage()
      end(new TransformTimeout())
    }
    const timers = [setTimeout(onTimeout, limits.timeout)]
    const watch = setInterval(checkUsage, usageInterval)
    const onAbort = () => timers.push(setTimeout(() => end(signal.reason), abortGrace))
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const answer = nextMessage()
      sendTask(child, task).catch(() => end())
      const message = await answer.catch(throwFailure)
      if (message.type === 'done') return message.image
      if (message.type === 'ready') throw new Error("image process: expected one 'ready' message, got two")
      const cause = new Error(message.reason)
      if (message.kind === 'corrupt') throw new CorruptOriginal({ cause })
      if (message.kind === 'rejected') throw new RejectedOriginal(message.message, { cause })
      throw message.status ? new ImageFailure(message.status, message.message, { cause }) : cause
    } finally {
      for (const timer of timers) clearTimeout(timer)
      clearInterval(watch)
      signal.removeEventListener('abort', onAbort)
    }

    function throwFailure(error: unknown): never {
      signal.throwIfAborted()
      if (error instanceof ImageFailure || error instanceof ProcessKilled) throw error
      throw new TransformFailure(422, 'The original could not be decoded', { cause: error })
    }
  }

  const isAlive = () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null
  const timer = setTimeout(() => end(new Error(`the image process did not start in ${startTimeout} ms`)), startTimeout)
  const ready = await nextMessage().finally(() => clearTimeout(timer))
  if (ready.type !== 'ready' || ready.version !== rendererVersion) {
    end()
    throw new Error(`${file} is of another version than this service, or uses another version of sharp`)
  }
  isReady = true
  // On a busy machine the first ones may have begun before.
  lowerPriority(child)
  return { run, end, memory: () => usage.memory, isAlive }
}

function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
}

/** Of all threads: one that begins later has the priority of the one that began it. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    const lower = Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW)
    for (const thread of pid === undefined ? [] : listThreads(pid)) setPriority(thread, lower)
  } catch {
    // It has ended, or may not be lowered here.
  }
}
