import { randomBytes } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { availableParallelism } from 'node:os'
import type { MaybePromise } from '../../core/async.js'
import { guardStore, guardTagIndex } from '../../core/cache/internal.js'
import { expectRequest, type Handler } from '../../core/handler.js'
import type { ImageService, SourceFolders } from '../../core/image/index.js'
import type { SendUpstream } from '../../core/image/internal.js'
import { describeError, throttleLog } from '../../core/log.js'
import { optionError } from '../../core/option-error.js'
import { checkKnownOptions } from '../../core/options.js'
import { createResponse } from '../../core/response-factory.js'
import { BlockedSource, ImageFailure } from './failure.js'
import { createImageCache } from './image-cache.js'
import { createTaskRunner } from './isolation/run-task.js'
import { imageServiceChecks } from './option-checks.js'
import { type ImageServiceOptions, type ResolvedOptions, resolveOptions } from './options.js'
import { createRefiner } from './refine.js'
import { createRenderer, type ImageRenderer, type OnEvent } from './render.js'
import { createRequestParser } from './request.js'
import { createResponder } from './respond.js'
import { createFailureResponse, createServiceSend, type ServiceRequest, type ServiceResponse } from './response.js'
import { createEncoder } from './transforms/encoders.js'
import { rendererVersion } from './transforms/render-image.js'

/** The embedded image service. */
export interface EmbeddedImageService extends Handler {
  /** How an image proxy in the same process calls the service: without creating `fetch` objects. */
  readonly send: SendUpstream
}

/** Settings for tests. */
export interface ServiceInternals {
  /** Resolves the host names of remote sources. The addresses are checked as usual. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
  /** Maximum number of waiting images per origin. */
  maxQueue?: number | undefined
  onEvent?: OnEvent | undefined
}

/**
 * Creates the embedded image service. It answers the URLs of imgproxy, `GET|HEAD /{signature}/{options}/{source}`
 * (https://docs.imgproxy.net/usage/processing). It renders with sharp, by default in separate processes. Pass it to the
 * image proxy as `fetch`, or mount it on its own server. For the status of each failure, see `ImageFailure`.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const sources = { '/media/': './public/media' }
 * const cache = diskStore({ directory: '.cache/images', maxBytes: 1024 ** 3 })
 * const service = createImageService({ keys: [{ key, salt }], sources, cache })
 * const images = createImageProxy({
 *   serviceUrl: 'http://images.invalid', key, salt, sources: Object.keys(sources), fetch: service,
 * })
 */
export function createImageService(options: ImageServiceOptions): EmbeddedImageService {
  return createServiceWith(options, {})
}

/** Like {@link createImageService}, with settings for tests. */
export function createServiceWith(options: ImageServiceOptions, internals: ServiceInternals): EmbeddedImageService {
  const resolved = resolveOptions(options)
  const { onEvent = () => {}, lookup, maxQueue } = internals
  const log = throttleLog(resolved.log, { keyOf: (message, { source }) => `${message} ${source}` })
  const parseRequest = createRequestParser(resolved, lookup)
  const pipeline = createPipeline(resolved, maxQueue, onEvent)
  const respond = createResponder({ ...pipeline, maxAge: resolved.maxAge, log, onEvent })

  /**
   * @param isLogged Whether the caller logs the failure. The image proxy does, because it also gets the reason.
   * @param source Unknown when the URL is malformed.
   */
  const fail = (error: unknown, request: ServiceRequest, isLogged: boolean, source?: string): ServiceResponse => {
    const { url, signal } = request
    signal()?.throwIfAborted() // the client disconnected
    const { status, message } = error instanceof ImageFailure ? error : new ImageFailure(500, 'Image service failed')
    const reason = describeError(error)
    if (!isLogged && (status >= 422 || error instanceof BlockedSource)) {
      log(`Image service responded with ${status}`, { reason, ...(source !== undefined && { source }), url })
    }
    return createFailureResponse(status, message, reason)
  }

  const answer = (request: ServiceRequest, isLogged: boolean): MaybePromise<ServiceResponse> => {
    const { url, method } = request
    let source: string | undefined
    try {
      if (method !== 'GET' && method !== 'HEAD') throw new ImageFailure(405, 'Method not allowed')
      const image = parseRequest(new URL(url).pathname)
      source = image.source
      const response = respond(request, image)
      return response instanceof Promise ? response.catch((error) => fail(error, request, isLogged, source)) : response
    } catch (error) {
      return fail(error, request, isLogged, source)
    }
  }

  const fetch = expectRequest(async (request: Request): Promise<Response> => {
    const { url, method } = request
    const answered = answer({ url, method, headers: request.headers, signal: () => request.signal }, false)
    const { status, headers, body } = await answered
    return createResponse(method === 'HEAD' ? null : body, { status, headers })
  })
  return Object.assign(fetch, { send: createServiceSend((request) => answer(request, true)) })
}

// Milliseconds. A store that takes longer is no faster than rendering.
const storeTimeout = 1_000
// Encoding AVIF takes some 23 bytes of memory per pixel, WebP 5, and the Linux C library returns little of it to the
// system before the process ends. After 500 images in every width up to 3840, two at a time, the site's process takes
// 512 MB with this limit, 636 MB with a limit of 2.5 million and 900 MB with 12 million. The few larger images are
// encoded as WebP, which takes some 20 percent more bytes.
const maxAvifPixelsInProcess = 1_500_000
// Memory of a separate process, including decoding. Measured: 1,432 MiB for a JPEG of 60 million pixels.
const avifBytesPerPixel = 27

/** Creates the image cache, and the renderer in front of it. */
function createPipeline(options: ResolvedOptions, maxQueue: number | undefined, onEvent: OnEvent) {
  const { maxPixels, maxWorkerMemory, quality, svg, refine, log } = options
  const { isolation, run } = createTaskRunner(options)
  // In the site's own process, the other threads of libuv's pool must remain free to read files.
  const { concurrency = Math.min(availableParallelism(), isolation === 'process' ? 4 : 2) } = options
  const store = guardStore(options.cache, storeTimeout, throttleLog(log), 'Image service')
  const tagIndex = guardTagIndex(options.tagIndex, storeTimeout, throttleLog(log), 'Image service')
  const encoderVersion = JSON.stringify([rendererVersion, createEncoder(quality).settings, isolation, svg])
  const cache = createImageCache(store, tagIndex, encoderVersion)
  const maxAvifPixels = isolation === 'process' ? maxWorkerMemory / avifBytesPerPixel : maxAvifPixelsInProcess
  const settings = { quality, maxPixels, maxAvifPixels, svg }
  const refiner = createRefiner({ cache, run, settings, isOn: refine && isolation === 'process' })
  const renderer = createRenderer({ cache, run, settings, concurrency, maxQueue, onEvent })
  // Ends a running refinement before the original is read, because a busy processor slows down even reading.
  const render: ImageRenderer = (...job) => refiner.runFirst(() => renderer(...job))
  return { cache, tagIndex, render, refine: refiner.refine }
}

/** Options of the service that `createImages` does not have already. */
export type SharpServiceOptions = Omit<ImageServiceOptions, 'keys' | 'sources' | 'cache' | 'tagIndex' | 'maxAge'>

const { keys, sources, cache, tagIndex, maxAge, ...sharpServiceChecks } = imageServiceChecks

/**
 * Creates a `service` for `createImages` that renders with sharp on this machine: the embedded image service with a
 * random key, because only this process calls it.
 *
 * @throws TypeError that names the invalid option.
 * @example const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
 */
export function sharpService(options: SharpServiceOptions = {}): ImageService {
  const hint = 'sources, cache, tagIndex and maxAge are options of createImages, beside service: sharpService()'
  checkKnownOptions(options, sharpServiceChecks, 'sharpService()', hint)
  return ({ sources, cache, tagIndex, log }) => {
    if (typeof sources !== 'object' || sources === null || Array.isArray(sources)) {
      throw optionError('sources', "prefixes with their folders, such as { '/media/': './media' }", sources)
    }
    const key = { key: randomBytes(32).toString('hex'), salt: randomBytes(32).toString('hex') }
    const given = { sources: sources as SourceFolders, cache, tagIndex }
    const service = createImageService({ log, ...options, ...given, keys: [key] })
    // The service is a function in this process, so only the path of its URL matters.
    return { proxy: { serviceUrl: 'http://images.invalid', ...key, fetch: service } }
  }
}
