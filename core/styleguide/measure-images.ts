import { imageDimensionsFromData } from 'image-dimensions'
import { cancelBody, readBytes, readPieces } from '../http/body.js'
import type { ImageLoader } from '../image/index.js'
import { checkWidths, defaultWidths } from '../image/url.js'
import { createLimiter } from '../limiter.js'
import { describeError } from '../log.js'
import { checkKnownOptions, checkString, functionAs, type OptionChecks, required } from '../options.js'
import { checkTimeout, startDeadline, TimeoutError, withTimeout } from '../timeout.js'

/** Width and height in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** An image as it was delivered for one format. */
export interface ImageDelivery {
  /** The format that was requested: `'AVIF'`. */
  format: string
  /** Content type of the response: `'image/avif'`. */
  type?: string | undefined
  /** Size of the body in bytes. */
  bytes?: number | undefined
  /** Width and height in pixels, if they could be read from the image's header. */
  size?: ImageSize | undefined
  /** Why there is no image: `'403 Source not allowed'`. */
  problem?: string | undefined
}

/** An image at one width, in each of the formats. */
export interface MeasuredImage {
  /** The requested width in pixels. */
  width: number
  url: string
  deliveries: readonly ImageDelivery[]
}

export interface MeasureImagesOptions {
  /** Fetches an image: the site's image proxy, in process, or the global `fetch`. */
  fetch: (request: Request) => Promise<Response | undefined>
  /** Builds the URLs: `createImageLoader({ sources })`. */
  loader: ImageLoader
  /** Path or URL of the original image. */
  src: string
  /** Widths in pixels. Default: the default widths of the image proxy. */
  widths?: readonly number[] | undefined
  /** Origin that the loader's paths are resolved against. Default `'http://localhost'`. */
  origin?: string | undefined
  /** Time limit per request in milliseconds. Default 30,000. */
  timeout?: number | undefined
}

// The `Accept` header of a browser whose newest format is the key.
const acceptHeaders = {
  AVIF: 'image/avif,image/webp,*/*',
  WebP: 'image/webp,*/*',
  JPEG: 'image/jpeg,*/*;q=0.5',
}

const checks: OptionChecks<MeasureImagesOptions> = {
  fetch: required(functionAs('the image proxy, or a function shaped like fetch')),
  loader: required(functionAs('the loader of createImages, or createImageLoader(…)')),
  src: required(checkString),
  widths: checkWidths,
  origin: checkString,
  timeout: checkTimeout,
}

/**
 * Requests one image at every width and in every format, a few at a time, and measures the responses. If a request
 * fails, its delivery has a `problem`; the other requests continue. Call the function once and keep the result: the
 * image service needs time to produce all images.
 *
 * @throws TypeError (as a rejection) for an invalid option.
 * @example
 * const measured = await measureImages({ fetch: imageProxy, loader, src: '/media/cat.jpg' })
 * measured[0]?.deliveries[0] // { format: 'AVIF', type: 'image/avif', bytes: 1893, size: { width: 16, height: 11 } }
 */
export async function measureImages(options: MeasureImagesOptions): Promise<MeasuredImage[]> {
  const {
    loader,
    src,
    widths = defaultWidths,
    origin = 'http://localhost',
  } = checkKnownOptions(
    options,
    checks,
    "measureImages({ fetch: images.handler, loader: images.loader, src: '/media/cat.jpg' })",
  )
  const { timeout = 30_000, fetch } = options

  const limit = createLimiter({ concurrency: 4 })
  return Promise.all(
    widths.map(async (width) => {
      const url = loader({ src, width })
      const deliveries = Object.entries(acceptHeaders).map(([format, header]) => {
        const request = async (signal: AbortSignal) =>
          fetch(new Request(new URL(url, origin), { headers: { Accept: header }, signal }))
        return limit(async () => ({ format, ...(await measure(request, timeout)) }))
      })
      return { width, url, deliveries: await Promise.all(deliveries) }
    }),
  )
}

type Measurement = Omit<ImageDelivery, 'format'>

async function measure(
  request: (signal: AbortSignal) => Promise<Response | undefined>,
  timeout: number,
): Promise<Measurement> {
  const deadline = startDeadline(timeout)
  try {
    // The promise has a time limit in addition to the signal, which a handler may ignore.
    return await withTimeout(timeout, request(deadline.signal).then(measureResponse), deadline.signal)
  } catch (error) {
    return { problem: error instanceof TimeoutError || deadline.isOver() ? 'Timed out' : describeError(error) }
  } finally {
    deadline.end()
  }
}

// A larger image is a mistake, and up to four images are in memory at the same time.
const maxBytes = 32 * 1024 * 1024

async function measureResponse(response: Response | undefined): Promise<Measurement> {
  if (!response) return { problem: 'No response: the handler does not serve this URL' }
  const type = response.headers.get('Content-Type')?.split(';')[0]?.trim()
  if (!response.ok) return { problem: `${response.status} ${await readErrorReason(response)}`.trim() }
  if (!type?.startsWith('image/')) {
    cancelBody(response.body)
    return { problem: `Expected an image, got ${type || 'no Content-Type'}` }
  }
  const body = await readBytes(readPieces(response.body), maxBytes)
  const { width, height } = imageDimensionsFromData(body) ?? {}
  return { type, bytes: body.length, size: width && height ? { width, height } : undefined }
}

/** Returns the `error` of the image proxy's JSON body, or the status text. */
async function readErrorReason(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'string' ? error : response.statusText
}

/**
 * Formats a number of bytes for people, in kB (1,000 bytes) or MB, with one decimal below 100.
 *
 * @example formatBytes(48_213) // '48.2 kB'
 */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [amount, unit] = bytes < 999_950 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${amount.toFixed(amount < 99.95 ? 1 : 0)} ${unit}`
}
