// Node.js has so many threads for files and names of hosts by default (https://nodejs.org/api/cli.html#uv_threadpool_sizesize). What a
// disk that stalls does not answer keeps its thread until the disk goes on, as while a snapshot is taken or a network file system is
// gone: what handlers read, from other disks, must find one.
const defaultThreads = 4
const maxThreads = Math.max(1, (Number(process.env.UV_THREADPOOL_SIZE) || defaultThreads) - 1)

interface Kind {
  readonly max: number
  used: number
  readonly waiting: (() => void)[]
}

// While the writes of a disk stall, reads find a thread, which come first.
const reads: Kind = { max: 2, used: 0, waiting: [] }
const changes: Kind = { max: 2, used: 0, waiting: [] }
let used = 0

const isFree = ({ used: ofKind, max }: Kind) => ofKind < max && used < maxThreads
const startNext = () => {
  for (const kind of [reads, changes]) while (kind.waiting.length > 0 && isFree(kind)) kind.waiting.shift()?.()
}
const start = <T>(kind: Kind, work: () => Promise<T>): Promise<T> => {
  used++
  kind.used++
  const result = work()
  const release = () => {
    used--
    kind.used--
    startNext()
  }
  result.then(release, release)
  return result
}
const inThread = <T>(kind: Kind, work: () => Promise<T>): Promise<T> => {
  if (isFree(kind)) return start(kind, work)
  return new Promise((resolve) => kind.waiting.push(() => resolve(start(kind, work))))
}

/** Reads files of any directory as soon as a thread is free for that. */
export const readInThread = <T>(work: () => Promise<T>): Promise<T> => inThread(reads, work)

/** Changes files of any directory as soon as a thread is free for that. */
export const changeInThread = <T>(work: () => Promise<T>): Promise<T> => inThread(changes, work)
