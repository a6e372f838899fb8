import { availableParallelism } from 'node:os'
import type { Isolation } from '../options.js'

const maxProcesses = 4

/** Returns the default of the option `concurrency`. */
export function defaultConcurrency(isolation: Isolation): number {
  const processors = availableParallelism()
  if (isolation === 'process') return Math.min(processors, maxProcesses)
  const { UV_THREADPOOL_SIZE, MALLOC_ARENA_MAX, LD_PRELOAD = '' } = process.env
  const threads = Number(UV_THREADPOOL_SIZE) || 4
  // https://sharp.pixelplumbing.com/install#linux-memory-allocator
  const fragmentsMemory = process.platform === 'linux' && !MALLOC_ARENA_MAX && !LD_PRELOAD.includes('jemalloc')
  // One thread is left for a heavy image, and one for reading files.
  return Math.max(1, Math.min(processors, threads - 2, fragmentsMemory ? 2 : Number.POSITIVE_INFINITY))
}
