// The program of a transform process: renders one image after another, until it is killed or the site ends.
import { writeFileSync } from 'node:fs'
import { describeError } from '../../../core/log.js'
import { CorruptOriginal, ImageFailure, RejectedOriginal } from '../failure.js'
import { blockOtherDecoders } from '../transforms/decoders.js'
import { type RenderTask, renderImage } from '../transforms/render-image.js'
import { rendererVersion } from '../transforms/renderer-version.js'
import type { ProcessUsage, WorkerMessage } from './messages.js'
import { canReadUsage } from './process-usage.js'
import { createTaskReceiver } from './send-task.js'

const usageInterval = 100
// The highest: https://man7.org/linux/man-pages/man5/proc_pid_oom_score_adj.5.html
const killedFirst = '1000'

const send = (message: WorkerMessage) => process.send?.(message, undefined, {}, ignore)
const usage = (): ProcessUsage => {
  const { user, system } = process.cpuUsage()
  return { memory: process.memoryUsage.rss(), processorTime: (user + system) / 1000 }
}
// The site has ended, or does not listen.
const ignore = () => {}

async function answer(task: RenderTask): Promise<void> {
  try {
    send({ type: 'done', image: await renderImage(task), ...usage() })
  } catch (error) {
    const { status, message } = error instanceof ImageFailure ? error : { message: 'Image service failed' }
    const isRejected = error instanceof RejectedOriginal
    const kind = error instanceof CorruptOriginal ? 'corrupt' : isRejected ? 'rejected' : undefined
    const reason = describeError(error)
    send({ type: 'failed', ...(status && { status }), kind, message, reason, ...usage() })
  }
}

/** When memory runs out, the kernel of Linux shall end this process, and not the site. */
function allowToBeKilledFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', killedFirst)
  } catch {
    // Another system, or not allowed.
  }
}

function start(): void {
  allowToBeKilledFirst()
  blockOtherDecoders()
  process.on('message', createTaskReceiver(answer))
  // Not process.exit(), which waits for the thread that decodes.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A terminal and service managers send these to all processes; the site may want to finish its responses.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignore)
  if (!canReadUsage()) setInterval(() => send({ type: 'usage', ...usage() }), usageInterval)
  send({ type: 'ready', version: rendererVersion })
}

// Without a channel, somebody only imported this.
if (process.send) start()
