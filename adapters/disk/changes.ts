import { maxTimeout } from '../../core/timeout.js'
import { createTransferBudget } from '../node/transfer-budget.js'

/** Changes the files of a directory. */
export type Change = () => Promise<void>

/** Makes the changes of one directory, one after the other. */
export interface Changes {
  /** Makes a change when those that came before it are made. */
  run(change: Change): Promise<void>
  /** Makes a change before those that wait. */
  runNext(change: Change): Promise<void>
}

// Node.js has four threads for files and names of hosts by default, and a change of a disk whose writes stall, as while a snapshot is
// taken, keeps its thread until the disk goes on: reads must find one. So all directories of the process have two, and each of them
// one, since another may be on a disk that works.
const ofAll = createTransferBudget({ max: 2 })

/** Creates the changes of one directory. */
export function createChanges(): Changes {
  const next: Change[] = []
  const later: Change[] = []
  let isRunning = false

  const runAll = async () => {
    isRunning = true
    while (next.length + later.length > 0) await ofAll(1, maxTimeout, async () => (next.shift() ?? later.shift())?.())
    isRunning = false
  }
  const addTo = (queue: Change[]) => (change: Change) =>
    new Promise<void>((resolve, reject) => {
      queue.push(() => change().then(resolve, reject))
      if (!isRunning) void runAll()
    })
  return { run: addTo(later), runNext: addTo(next) }
}
