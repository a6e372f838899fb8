import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { memoryStore } from '../../core/cache/index.js'
import type { ImageSite, SourceFolders } from '../../core/image/index.js'
import { type Log, logError } from '../../core/log.js'
import { optionError } from '../../core/option-error.js'
import { checkWorkerFile, type OriginHeaders } from './option-checks.js'
import type { AllowedNetworks } from './sources/addresses.js'
import type { QualityByFormat } from './transforms/encoders.js'
import type { CardLook } from './transforms/task.js'

/** Where images are decoded and encoded. */
export type Isolation = 'process' | 'none'

export interface SharpServiceOptions {
  /**
   * Private networks that remote sources may be in, as CIDR: `{ 'nas.internal': ['10.0.0.0/8'] }` for one host, or
   * `['10.0.0.0/8']` for all of them. The DNS of a host decides which address it resolves to, so use a list only when
   * all sources are your own. Default: no network.
   */
  allowNetworks?: AllowedNetworks | undefined
  /**
   * Header fields for the requests to remote sources, by URL prefix: `Authorization`, or a `User-Agent` with a contact.
   * They are not sent after a redirect to another prefix. Default: no fields.
   *
   * @example { 'https://cdn.example.com/': { Authorization: `Bearer ${process.env.CDN_TOKEN}` } }
   */
  headers?: OriginHeaders | undefined
  /**
   * Query parameters of remote sources that do not identify an image, such as a signature with a date. An image that
   * was stored for one signature is also served for any other, without a check of that signature. Default: no
   * parameters.
   *
   * @example ['X-Amz-*', 'Expires', 'Signature', 'Key-Pair-Id']
   */
  signatureParameters?: readonly string[] | undefined
  /** Maximum size of an original in bytes, decompressed. Default 50 MB. */
  maxSourceBytes?: number | undefined
  /** Maximum number of pixels of an original, counting all frames. Default 65 million. */
  maxPixels?: number | undefined
  /**
   * Whether an SVG is sent as it is, with a Content-Security-Policy under which its scripts do not run. The loader
   * returns names that end in `.svg` unchanged, so this option concerns other names. Default false.
   */
  svg?: boolean | undefined
  /**
   * Whether an image keeps copyright, creator and credit of its original, from Exif, XMP or IPTC: some 300 bytes. They
   * are in Exif and XMP of JPEG, PNG, WebP and AVIF; GIF has neither. All other metadata, such as GPS, is removed. EU law
   * (Directive 2001/29/EC, article 7) forbids to remove them without permission. Default true.
   */
  keepCopyright?: boolean | undefined
  /**
   * Whether an image that was requested twice is encoded again for fewer bytes. This happens while no visitor waits for
   * a transform: one image at a time, in a process of the lowest priority. Without isolation, no image is encoded
   * again. Default true.
   */
  refine?: boolean | undefined
  /**
   * How social cards look, the pictures of `images.card`. Files are read when the site starts and when a card is drawn.
   * Default: white text in the system's bold sans-serif font on a black shade, without a mark.
   *
   * @example { font: { family: 'Newsreader', file: './fonts/newsreader-bold.ttf' }, colors: { shade: '#241a13' }, mark: './mark.png' }
   */
  card?: CardLook | undefined
  /**
   * Maximum time for fetching a whole remote original, in milliseconds. Default 8,000, less than the ten seconds that a
   * visitor waits at most.
   */
  sourceTimeout?: number | undefined
  /**
   * Maximum time of a transform in milliseconds, after which its process is killed and the client gets 504. A transform
   * that has begun is finished and stored even if its clients have left.
   * Without isolation, the limit is rounded up to whole seconds, and cannot interrupt a decoder in the middle of its
   * work. Default 10,000.
   */
  transformTimeout?: number | undefined
  /**
   * Where images are decoded and encoded. `process`: in separate processes, which start when they are first needed and
   * can be killed, so a hostile image can neither crash the site nor outlast `transformTimeout`. `none`: in the site's
   * own process; images above 1.5 million pixels are then WebP instead of AVIF, because the memory that AVIF takes
   * would not be released. Default: `process` on Node; `none` on Bun and Deno and, with a log message, where a bundler
   * has left out `workerFile`.
   */
  isolation?: Isolation | undefined
  /**
   * The program that the processes run. If a bundler moves it, bundle `sitewright/sharp/worker` as a separate entry and
   * pass the resulting file here. Default: the file installed with this package.
   *
   * @example new URL('./image-worker.js', import.meta.url)
   */
  workerFile?: string | URL | undefined
  /**
   * Maximum resident memory of each process in bytes. A process that exceeds it ends, and the client gets 422. All
   * processes together may take `concurrency * maxWorkerMemory`. Default 1,342,177,280: 1.25 GiB, enough for
   * originals of 65 million pixels, and for AVIF with 50 million.
   */
  maxWorkerMemory?: number | undefined
  /**
   * Maximum number of transforms that run at once. Default: the number of processors, at most 4. Without isolation: at
   * most 2, which leaves threads of libuv's pool free to read files.
   */
  concurrency?: number | undefined
  /**
   * Seconds until a remote original is requested again. If its server sends a lifetime in `Cache-Control`, that
   * lifetime counts instead, and is at least a minute. With an `ETag` or `Last-Modified`, an unchanged original is not
   * sent again. For one more day, clients get the stored image while the original is being fetched, or while its server
   * fails. Default 86,400: a day.
   */
  remoteMaxAge?: number | undefined
  /**
   * Quality from 1 to 100, by format. Default: AVIF 58, WebP 75, JPEG 72, which look alike.
   * The effort of the first encoding is fixed: AVIF 0, WebP 2, JPEG without mozjpeg. More effort would save another 5
   * to 7 percent of the bytes, but take at least twice the processor time.
   */
  quality?: QualityByFormat | undefined
  /**
   * Receives warnings and errors: each kind at most once a minute for each of up to 100 sources, with the number of
   * omitted messages in `suppressed`. Default: the `log` of `createImages`.
   */
  log?: Log | undefined
}

/** The options with all defaults filled in, and the site. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/**
 * Fills in the defaults.
 *
 * @throws TypeError that names the invalid option.
 */
export function resolveOptions(options: SharpServiceOptions, site: ImageSite) {
  const { sources, cache, tagIndex } = site
  const { workerFile } = options
  if (typeof sources !== 'object' || sources === null || Array.isArray(sources)) {
    throw optionError('sources', "prefixes with their folders, such as { '/media/': './media' }", sources)
  }
  return {
    ...options,
    sources: sources as SourceFolders,
    folders: foldersOf(sources as SourceFolders),
    cache: cache ?? memoryStore({ maxBytes: 32 * 1024 * 1024 }),
    tagIndex,
    allowNetworks: options.allowNetworks ?? [],
    headers: options.headers ?? {},
    signatureParameters: options.signatureParameters ?? [],
    maxSourceBytes: options.maxSourceBytes ?? 50_000_000,
    maxPixels: options.maxPixels ?? 65_000_000,
    svg: options.svg ?? false,
    keepCopyright: options.keepCopyright ?? true,
    refine: options.refine ?? true,
    card: options.card ?? {},
    sourceTimeout: options.sourceTimeout ?? 8_000,
    transformTimeout: options.transformTimeout ?? 10_000,
    workerFile: workerFile === undefined ? undefined : (checkWorkerFile('workerFile', workerFile) as string),
    maxWorkerMemory: options.maxWorkerMemory ?? 1.25 * 1024 ** 3,
    remoteMaxAge: options.remoteMaxAge ?? 86_400,
    log: options.log ?? site.log ?? logError,
  }
}

/** Returns the path prefixes with their folders. */
function foldersOf(sources: SourceFolders): [prefix: string, folder: string][] {
  return Object.entries(sources).flatMap(([prefix, target]) => {
    const folder = checkSource(prefix, target)
    return folder === undefined ? [] : [[prefix, folder]]
  })
}

/** @returns The folder; `undefined` for a URL. */
function checkSource(prefix: string, target: string | true): string | undefined {
  const option = `sources['${prefix}']`
  const isPath = prefix.startsWith('/')
  if (!isPath && !/^https?:\/\//i.test(prefix)) {
    throw optionError('sources', "a path such as '/media/' or an http(s) URL", prefix)
  }
  if (isPath && (typeof target !== 'string' || target === '')) {
    throw optionError(option, "a folder such as './public/media', since this is a path", target)
  }
  if (!isPath && target !== true) {
    throw optionError(option, 'true, since this is a URL', target, "a folder belongs to a path such as '/media/'")
  }
  if (isPath && !statSync(target as string, { throwIfNoEntry: false })?.isDirectory()) {
    throw optionError(option, 'a folder', target, `looked for ${resolve(target as string)}`)
  }
  return isPath ? (target as string) : undefined
}
