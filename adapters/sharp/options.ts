import type { LookupFunction } from 'node:net'
import { memoryStore, memoryTagIndex, type Store, type TagIndex } from '../../core/cache/index.js'
import type { SigningKey } from '../../core/image/index.js'
import { defaultMaxAge } from '../../core/image/internal.js'
import { type Log, logError } from '../../core/log.js'
import { checkKnownOptions, type OptionChecks } from '../../core/options.js'
import type { OnEvent } from './events.js'
import { checkWorkerFile, imageServiceChecks } from './option-checks.js'
import type { AllowedNetworks } from './sources/addresses.js'
import type { ServiceSources } from './sources/router.js'
import type { QualityByFormat } from './transforms/encoders.js'

/** Where images are decoded and encoded. */
export type Isolation = 'process' | 'none'

export interface ImageServiceOptions {
  /** Keys and salts as hex digits. A signature by any of them is valid. */
  keys: readonly SigningKey[]
  /**
   * Sources that may be resized: a path prefix and its folder, or a URL prefix and `true`. The prefixes are the list that
   * the image proxy and the loader take.
   *
   * @example { '/media/': './public/media', 'https://cdn.example.com/photos/': true }
   */
  sources: ServiceSources
  /**
   * Store for rendered images, such as `diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })`. Images that it
   * evicts are rendered again. Default: `memoryStore` with 32 MiB.
   */
  cache?: Store | undefined
  /**
   * Knows which sources were purged: the digest of a remote original is not used after a purge of its URL. Files need none,
   * since a changed file is noticed. Default: an index of its own, in memory.
   */
  tagIndex?: TagIndex | undefined
  /**
   * Private networks that remote sources may be in, as CIDR: `{ 'nas.internal': ['10.0.0.0/8'] }` for one host, or
   * `['10.0.0.0/8']` for all of them. Whoever has the DNS of a host decides which address it leads to, so a list fits where
   * all sources are your own. Default: none.
   */
  allowNetworks?: AllowedNetworks | undefined
  /** Maximum size of an original in bytes, decompressed. Default 50 MB. */
  maxSourceBytes?: number | undefined
  /** Maximum number of pixels of an original, counting all frames. Default 50 million. */
  maxPixels?: number | undefined
  /** Maximum time for fetching a whole remote original, in milliseconds. Default 8,000, less than the proxy's timeout. */
  sourceTimeout?: number | undefined
  /**
   * Maximum processor time of a transform in milliseconds, after which its process is killed and the client gets 422, which
   * is remembered for five minutes. What is known from the header to take longer is 422 before the work: in 10 seconds GIF
   * of 22 million pixels, counting all frames, and WebP of 100 million. After a tenth of it, a small
   * image leaves its place to others, and any after a quarter; it is rendered again apart, where one such image is rendered
   * at a time.
   *
   * Ten times as long by the clock, on a busy machine or in a process that hangs, is 504, and the next request tries
   * again. A transform that has begun is finished and stored although its clients have left (eight at once of each
   * origin): so the proxy's `timeout` may be shorter. Default 10,000.
   *
   * Without isolation it is time by the clock, rounded up to whole seconds, and cannot end a decoder in the middle of its
   * work; it is 422 unless the site had a processor for less than half of it, then 504.
   */
  transformTimeout?: number | undefined
  /**
   * Where images are decoded and encoded. `process`: in processes of their own, which start when they are first needed,
   * have a lower priority than the site, and can be killed: a hostile image can neither crash the site nor outlast
   * `transformTimeout`. `none`: in the process of the site; then images above 1.5 million pixels are WebP instead of AVIF,
   * since the memory that AVIF takes would stay. Default: `process` on Node, `none` on Bun and Deno, and, with a message in
   * the log, where a bundler has left `workerFile` behind.
   */
  isolation?: Isolation | undefined
  /**
   * The program of the processes, where a bundler moved it: bundle `sitewright/sharp/worker` as an entry of its own, and
   * name the result here. Default: as installed with this package.
   *
   * @example new URL('./image-worker.js', import.meta.url)
   */
  workerFile?: string | URL | undefined
  /**
   * Maximum resident memory of each such process in bytes, after which it is killed and the client gets 422. There are
   * `concurrency` of them, one for heavy images and one for those that take more than a quarter of `transformTimeout`: all
   * together may take `(concurrency + 2) * maxWorkerMemory`. It is read every 50 ms on Linux; elsewhere each process reports
   * it every 100 ms by itself. Default 1,342,177,280: 1.25 GiB, which is enough for AVIF of 50 million pixels.
   */
  maxWorkerMemory?: number | undefined
  /**
   * Maximum number of transforms that run at once, besides one that takes much time or memory. Default: the number of
   * processors, at most 4. Without isolation: also at least two fewer than the threads in libuv's pool
   * (`UV_THREADPOOL_SIZE`, 4), so that transforms never block reading files; and at most 2 on Linux, whose C library keeps
   * freed memory for each thread, unless `MALLOC_ARENA_MAX` is set (2 is a good value) or jemalloc is preloaded.
   */
  concurrency?: number | undefined
  /** Maximum number of remote originals that are in memory at once: being fetched, or transformed. Default 8. */
  fetchConcurrency?: number | undefined
  /**
   * Maximum number of these from one origin, so that one that does not answer leaves places to the others. An origin that
   * has none gets the place of the longest fetch after a second. Default: `fetchConcurrency` divided by the number of
   * origins in `sources`, but at least 2.
   */
  fetchConcurrencyPerOrigin?: number | undefined
  /**
   * Maximum number of requests that wait for a fetch, for a transform, for a heavy one, and for a second attempt, of each
   * origin and each folder. Further ones are answered with 503. Default 256.
   */
  maxQueue?: number | undefined
  /** Seconds for which browsers and caches may store an image. Behind the image proxy its own counts. Default 300. */
  maxAge?: number | undefined
  /**
   * Seconds until a remote original is fetched again. While that fails, what is stored of it is used for a day more, and also
   * after two seconds in which it has not come. Default 86,400: a day.
   */
  remoteMaxAge?: number | undefined
  /**
   * Default quality from 1 to 100, by format, where the URL has none. Default: AVIF 55, WebP 75, JPEG 75. Encoders run at
   * the effort beyond which at least twice the processor time saves 5 to 7 percent of the bytes: AVIF 0, WebP 2, JPEG without
   * mozjpeg.
   */
  quality?: QualityByFormat | undefined
  /** Resolves the host names of remote sources. The addresses are checked as always. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
  /**
   * Receives warnings and errors: each kind once a minute for each of up to 100 sources, then with their number in
   * `suppressed`. What fails for an image proxy in the same process is logged by the proxy. Default: `console.error`.
   */
  log?: Log | undefined
  /** Receives each event of the service, for metrics. Default: none. */
  onEvent?: OnEvent | undefined
}

const defaults = {
  maxSourceBytes: 50_000_000,
  maxPixels: 50_000_000,
  sourceTimeout: 8_000,
  transformTimeout: 10_000,
  maxWorkerMemory: 1.25 * 1024 ** 3,
  fetchConcurrency: 8,
  maxQueue: 256,
  maxAge: defaultMaxAge,
  remoteMaxAge: 86_400,
}

/** The options with all defaults filled in. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/**
 * Fills in the defaults.
 *
 * @throws TypeError that names the invalid option.
 */
export function resolveOptions(options: ImageServiceOptions) {
  const given = Object.fromEntries(
    Object.entries(
      checkKnownOptions(
        options,
        imageServiceChecks satisfies OptionChecks<ImageServiceOptions>,
        "createImageService({ keys: [{ key, salt }], sources: { '/media/': './media' } })",
      ),
    ).filter(([, value]) => value !== undefined),
  )
  const resolved = { ...defaults, ...given } as typeof defaults
  const { isolation, workerFile } = options
  const { fetchConcurrencyPerOrigin = defaultFetchConcurrencyPerOrigin(resolved.fetchConcurrency, options) } = options
  const { cache = memoryStore({ maxBytes: 32 * 1024 * 1024 }) } = options
  return {
    ...resolved,
    concurrency: options.concurrency,
    isolation,
    workerFile: workerFile === undefined ? undefined : checkWorkerFile('workerFile', workerFile),
    keys: options.keys,
    fetchConcurrencyPerOrigin,
    sources: options.sources,
    cache,
    tagIndex: options.tagIndex ?? memoryTagIndex(),
    allowNetworks: options.allowNetworks ?? [],
    quality: options.quality,
    lookup: options.lookup,
    log: options.log ?? logError,
    onEvent: options.onEvent ?? ((() => {}) satisfies OnEvent),
  }
}

function defaultFetchConcurrencyPerOrigin(fetchConcurrency: number, { sources }: ImageServiceOptions): number {
  const urls = Object.keys(sources).filter((prefix) => URL.canParse(prefix))
  const origins = new Set(urls.map((url) => new URL(url).origin))
  return Math.max(2, Math.floor(fetchConcurrency / Math.max(1, origins.size)))
}
