// The program of a transform process: renders one image after another, until it is killed or the site ends.
import { describeError } from '../../../core/describe-error.js'
import { ImageFailure } from '../failure.js'
import { type RenderTask, renderImage } from '../transforms/render-image.js'
import { rendererVersion } from '../transforms/renderer-version.js'
import { canReadMemory } from './memory.js'
import type { WorkerMessage } from './messages.js'

const memoryInterval = 100

const send = (message: WorkerMessage) => process.send?.(message, undefined, {}, ignore)
const memory = () => process.memoryUsage.rss()
// The site has ended, or does not listen.
const ignore = () => {}

async function answer(task: RenderTask): Promise<void> {
  try {
    send({ type: 'done', image: await renderImage(task), memory: memory() })
  } catch (error) {
    const { status, message } = error instanceof ImageFailure ? error : { message: 'Image service failed' }
    send({ type: 'failed', ...(status && { status }), message, reason: describeError(error), memory: memory() })
  }
}

function start(): void {
  process.on('message', (task) => void answer(task as RenderTask))
  // Not process.exit(), which waits for the thread that decodes.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A terminal and service managers send these to all processes; the site may want to finish its responses.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignore)
  if (!canReadMemory()) setInterval(() => send({ type: 'memory', memory: memory() }), memoryInterval)
  send({ type: 'ready', version: rendererVersion })
}

// Without a channel, somebody only imported this.
if (process.send) start()
