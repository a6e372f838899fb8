import { maxTimeout } from '../../core/timeout.js'
import { createTransferBudget } from '../node/transfer-budget.js'

// Node.js has so many threads for files and names of hosts by default (https://nodejs.org/api/cli.html#uv_threadpool_sizesize). What a
// disk that stalls does not answer keeps its thread until the disk goes on, as while a snapshot is taken or a network file system is
// gone: what handlers read, from other disks, must find one.
const defaultThreads = 4
const threads = createTransferBudget({
  max: Math.max(1, (Number(process.env.UV_THREADPOOL_SIZE) || defaultThreads) - 1),
})

const createThreads = (max: number) => {
  const ofKind = createTransferBudget({ max })
  // Nobody waits for as long as `undefined` would take.
  return <T>(work: () => Promise<T>) => ofKind(1, maxTimeout, () => threads(1, maxTimeout, work)) as Promise<T>
}

/** Reads files as soon as a thread is free for that. */
export const readInThread = createThreads(2)
/** Changes files as soon as a thread is free for that. While the writes of a disk stall, reads find one. */
export const changeInThread = createThreads(2)
