import type { LookupFunction } from 'node:net'
import { availableParallelism } from 'node:os'
import { memoryStore, type Store } from '../../core/cache/index.js'
import type { SigningKey } from '../../core/image/index.js'
import type { Log } from '../../core/log.js'
import type { Observe } from './events.js'
import type { ServiceSources } from './sources/router.js'
import type { Qualities } from './transforms/encoders.js'

export interface ImageServiceOptions {
  /** Keys and salts as hex. Any of them verifies. */
  keys: readonly SigningKey[]
  /**
   * What may be resized: a path prefix and its folder, or a URL prefix and `true`. The keys are the list that the image
   * proxy and the loader take.
   *
   * @example { '/media/': './public/media', 'https://cdn.example.com/photos/': true }
   */
  sources: ServiceSources
  /**
   * Where made pictures are kept, such as `diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })`. What it loses
   * is made again. Default: `memoryStore` with 32 MiB.
   */
  cache?: Store | undefined
  /** Private networks that remote sources may be in, as CIDR: `['10.0.0.0/8']`. Default: none. */
  allowNetworks?: readonly string[] | undefined
  /** Largest original in bytes, unpacked. Default 50 MB. */
  maxSourceBytes?: number | undefined
  /** Most pixels of an original, all frames counted. Default 50 million. */
  maxPixels?: number | undefined
  /** Longest wait for all of a remote original, in milliseconds. Default 8,000: less than the proxy waits. */
  sourceTimeout?: number | undefined
  /** Longest time of a transform, in milliseconds, counted in whole seconds. Default 10,000. */
  transformTimeout?: number | undefined
  /**
   * Transforms that run at once. Default: as many as there are processors, but at least one fewer than there are
   * threads in libuv's pool (`UV_THREADPOOL_SIZE`, 4), so that reading files never waits for them; and no more than 2 on
   * Linux, whose C library keeps freed memory for each thread, unless `MALLOC_ARENA_MAX` is set (2 is a good value) or
   * jemalloc is preloaded.
   */
  concurrency?: number | undefined
  /** Remote originals that are fetched at once; one waits here while it is transformed too. Default 8. */
  fetchConcurrency?: number | undefined
  /** Most pictures that wait for a transform, and for a fetch; beyond it requests are answered with 503. Default 256. */
  queue?: number | undefined
  /** Seconds that browsers and caches may keep a picture. Default 31,536,000: a year. */
  maxAge?: number | undefined
  /** Seconds until a remote original is fetched again. Default 86,400: a day. */
  remoteMaxAge?: number | undefined
  /** Default quality from 1 to 100, per format, where the URL says none. */
  quality?: Qualities | undefined
  /** Resolves the names of remote sources. Its answers are checked as any. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
  /** Told what an operator should know. Default: `console.error`. */
  log?: Log | undefined
  /** Told of each thing that the service does, for counters. */
  observe?: Observe | undefined
}

const numbers = {
  maxSourceBytes: 50_000_000,
  maxPixels: 50_000_000,
  sourceTimeout: 8_000,
  transformTimeout: 10_000,
  fetchConcurrency: 8,
  queue: 256,
  maxAge: 31_536_000,
  remoteMaxAge: 86_400,
}
const mayBeZero = new Set(['queue', 'maxAge', 'remoteMaxAge'])

/** The options with every default in its place. */
export type Settings = ReturnType<typeof completeOptions>

/**
 * Puts every default in its place.
 *
 * @throws TypeError that names the option when a number is none that makes sense.
 */
export function completeOptions(options: ImageServiceOptions) {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const counts = { ...numbers, concurrency: defaultConcurrency() }
  const chosen = { ...counts, ...given } as typeof counts
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) checkNumber(name, chosen[name])
  for (const [name, quality = 1] of Object.entries(options.quality ?? {})) {
    if (Number.isInteger(quality) && quality >= 1 && quality <= 100) continue
    throw new TypeError(`quality.${name}: ${quality} is no whole number from 1 to 100`)
  }
  const { cache = memoryStore({ maxBytes: 32 * 1024 * 1024 }) } = options
  if (typeof cache?.get !== 'function' || typeof cache.set !== 'function') {
    throw new TypeError(
      "cache: no store; write diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 }), for one",
    )
  }
  return {
    ...chosen,
    keys: options.keys,
    sources: options.sources,
    cache,
    allowNetworks: options.allowNetworks ?? [],
    quality: options.quality,
    lookup: options.lookup,
    log: options.log ?? ((message, detail) => console.error(message, detail)),
    observe: options.observe ?? ((() => {}) satisfies Observe),
  }
}

function checkNumber(name: string, value: number): void {
  const least = mayBeZero.has(name) ? 0 : 1
  if (Number.isSafeInteger(value) && value >= least) return
  throw new TypeError(`${name}: ${value} is no use; write a whole number from ${least} on`)
}

function defaultConcurrency(): number {
  const { UV_THREADPOOL_SIZE, MALLOC_ARENA_MAX, LD_PRELOAD = '' } = process.env
  const threads = Number(UV_THREADPOOL_SIZE) || 4
  // https://sharp.pixelplumbing.com/install#linux-memory-allocator
  const fragments = process.platform === 'linux' && !MALLOC_ARENA_MAX && !LD_PRELOAD.includes('jemalloc')
  return Math.max(1, Math.min(availableParallelism(), threads - 1, fragments ? 2 : Number.POSITIVE_INFINITY))
}
