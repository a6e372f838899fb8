import { changeInThread } from './threads.js'

/** Changes the files of a directory. */
export type Change = () => Promise<void>

/** Makes the changes of one directory, one after the other. */
export interface Changes {
  /** Makes a change when those that came before it are made. */
  run(change: Change): Promise<void>
  /** Makes a change before those that wait. */
  runNext(change: Change): Promise<void>
}

/** Creates the changes of one directory. It takes one thread only, since another directory may be on a disk that works. */
export function createChanges(): Changes {
  const next: Change[] = []
  const later: Change[] = []
  let isRunning = false

  const runAll = async () => {
    isRunning = true
    while (next.length + later.length > 0) await changeInThread(async () => (next.shift() ?? later.shift())?.())
    isRunning = false
  }
  const addTo = (queue: Change[]) => (change: Change) =>
    new Promise<void>((resolve, reject) => {
      queue.push(() => change().then(resolve, reject))
      if (!isRunning) void runAll()
    })
  return { run: addTo(later), runNext: addTo(next) }
}
