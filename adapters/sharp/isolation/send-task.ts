import type { ChildProcess } from 'node:child_process'
import type { RenderTask } from '../transforms/render-image.js'
import type { TaskMessage } from './messages.js'

// A message is copied several times before it is sent, without a pause: one of 48 MB takes 180 ms.
const maxPieceBytes = 512 * 1024

/**
 * Sends a task to a transform process, its original in pieces.
 *
 * @throws Error when the process has ended.
 */
export async function sendTask(child: ChildProcess, task: RenderTask): Promise<void> {
  let { original } = task
  while (original.length > maxPieceBytes) {
    await send(child, { piece: original.subarray(0, maxPieceBytes) })
    original = original.subarray(maxPieceBytes)
  }
  await send(child, { ...task, original })
}

const send = (child: ChildProcess, message: TaskMessage) =>
  new Promise<void>((resolve, reject) => {
    child.send(message, (error) => (error ? reject(error) : resolve()))
  })

/** Returns a function that receives what {@link sendTask} sends, and calls `run` for each task. */
export function createTaskReceiver(run: (task: RenderTask) => void): (message: TaskMessage) => void {
  let pieces: Uint8Array[] = []
  return (message) => {
    if ('piece' in message) return void pieces.push(message.piece)
    const original = pieces.length > 0 ? Buffer.concat([...pieces, message.original]) : message.original
    pieces = []
    run({ ...message, original })
  }
}
