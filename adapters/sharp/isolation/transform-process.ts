import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { ImageFailure, transformTimeout } from '../failure.js'
import { rendererVersion } from '../transforms/render-image.js'
import type { RenderedImage } from '../transforms/task.js'
import type { TaskMessage, WorkerMessage } from './transform-worker.js'

const startTimeout = 30_000 // milliseconds

/** A process that renders one image at a time. */
export type TransformProcess = Awaited<ReturnType<typeof startTransformProcess>>

/**
 * Starts a process. It ends when this process ends, and does not keep this process alive.
 *
 * @param file The program, `transform-worker.js`.
 * @param priority The priority of all its threads, as for `os.setPriority`. Default: that of this process.
 * @throws Error when the process does not start.
 */
export async function startTransformProcess(file: string, priority?: number) {
  const child = fork(file, [], {
    serialization: 'advanced',
    // The process inherits only the channel, not the site's output, debugger or loaders.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    env: workerEnvironment(),
  })
  // Set before the program runs: Linux changes the priority of one thread only, and the threads that it starts later
  // inherit it.
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority)
  let memory = 0
  let endReason: Error | undefined
  let settle: ((outcome: WorkerMessage | Error) => void) | undefined
  child.on('message', (message: WorkerMessage) => settle?.(message))
  child.on('error', (error) => settle?.(error))
  child.on('exit', (code, signal) => {
    const error = new Error(`the image process ended with ${signal ?? code}`)
    // Killed by the kernel when memory ran out, or by an operator.
    const wasKilled = signal === 'SIGKILL'
    const failure = wasKilled ? new ImageFailure(503, 'The image process was killed', { cause: error }) : error
    settle?.(endReason ?? failure)
  })
  const end = (reason?: Error) => {
    endReason ??= reason
    child.kill('SIGKILL')
  }
  const nextMessage = async (timeout: number, timeoutError: Error, isAwaited = true): Promise<WorkerMessage> => {
    const timer = setTimeout(end, timeout, timeoutError).unref()
    if (isAwaited) setReferenced(child, true) // an image that a visitor waits for keeps the site from ending
    const outcome = await new Promise<WorkerMessage | Error>((resolve) => {
      settle = resolve
    })
    clearTimeout(timer)
    setReferenced(child, false)
    if (outcome instanceof Error) throw outcome
    return outcome
  }

  /**
   * Renders an image. The process ends when rendering takes longer than `timeout` milliseconds, or takes more memory
   * than the task allows.
   *
   * @throws ImageFailure
   */
  const run = async (task: TaskMessage, timeout: number): Promise<RenderedImage> => {
    child.send(task, (error) => error && settle?.(error))
    const answer = await nextMessage(timeout, transformTimeout(), !task.isRefined).catch((cause) => {
      throw cause instanceof ImageFailure
        ? cause
        : new ImageFailure(422, 'The original could not be decoded', { cause })
    })
    if (answer.type === 'ready') throw new Error("image process: expected one 'ready' message, got two")
    memory = answer.memory
    if (answer.type === 'done') return answer.image
    if (memory > task.maxMemory) end()
    const cause = new Error(answer.reason)
    throw answer.status ? new ImageFailure(answer.status, answer.message, { cause }) : cause
  }

  const notStarted = new Error(`the image process did not start in ${startTimeout} ms`)
  const ready = await nextMessage(startTimeout, notStarted).catch((error) => {
    if (error instanceof ImageFailure) throw error
    throw new Error(`${error.message}: files that it imports may be missing, see by node ${file}`)
  })
  if (ready.type !== 'ready' || ready.version !== rendererVersion) {
    end()
    throw new Error(`${file} is of another version than this service, or uses another version of sharp`)
  }
  const isAlive = () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null
  /** Returns the resident memory in bytes after the last task. */
  const getMemory = () => memory
  return { run, end, getMemory, isAlive }
}

function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
}

// Variables that Node.js, libvips, fontconfig, the C library and its loader read, and those without which no program starts on
// Windows. The names are in upper case, because Windows ignores case.
const unixNames = 'PATH HOME LANG TZ TMPDIR NODE_ENV NODE_PATH LD_LIBRARY_PATH LD_PRELOAD'.split(' ')
const windowsNames = 'SYSTEMROOT WINDIR PATHEXT TEMP TMP'.split(' ')
const names = [...unixNames, ...windowsNames]
const prefixes = ['LC_', 'VIPS_', 'MALLOC_', 'DYLD_', 'FONTCONFIG_']

/**
 * Returns the environment of a transform process: only settings of libraries and the allocator. It contains none of the
 * site's secrets, because the process decodes untrusted files. Debugger flags are removed from `NODE_OPTIONS`.
 */
function workerEnvironment(): NodeJS.ProcessEnv {
  const isKept = (name: string) => names.includes(name) || prefixes.some((prefix) => name.startsWith(prefix))
  const kept = Object.entries(process.env).filter(([name]) => isKept(name.toUpperCase()))
  const nodeOptions = process.env.NODE_OPTIONS?.replace(/--(?:inspect|debug)\S*/g, '')
  return {
    ...Object.fromEntries(kept),
    ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
    UV_THREADPOOL_SIZE: '1',
  }
}
