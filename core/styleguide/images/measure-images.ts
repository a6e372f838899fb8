import { describeError } from '../../describe-error.js'
import { defaultWidths, type ImageLoader } from '../../image/index.js'
import { checkTimeout } from '../../timeout.js'
import { type ImageSize, imageSizeOf } from './image-size.js'

/** One picture as it was delivered. */
export interface ImageDelivery {
  /** What was asked for: `'AVIF'`. */
  format: string
  /** Type of the answer: `'image/avif'`. */
  type?: string | undefined
  bytes?: number | undefined
  /** Its own width and height in pixels, where its head tells. */
  size?: ImageSize | undefined
  /** Why there is no picture: `'403 Source not allowed'`. */
  problem?: string | undefined
}

/** A picture at one width, in each of the formats. */
export interface MeasuredImage {
  /** The width that was asked for, in pixels. */
  width: number
  url: string
  deliveries: readonly ImageDelivery[]
}

export interface MeasureImagesOptions {
  /** Who delivers: the site's image proxy, in process, or the global `fetch`. */
  fetch: (request: Request) => Promise<Response | undefined>
  /** Makes the URLs: `createImageLoader({ sources })`. */
  loader: ImageLoader
  /** Path or URL of the original. */
  src: string
  /** Widths in pixels. Default: those that the image proxy allows by default. */
  widths?: readonly number[] | undefined
  /** Formats by name, each with the `Accept` header of a browser that knows no newer one. Default AVIF, WebP, JPEG. */
  accept?: Readonly<Record<string, string>> | undefined
  /** What the loader's paths are joined to. Default `'http://localhost'`. */
  origin?: string | undefined
  /** How many are asked for at a time. Default 4. */
  concurrency?: number | undefined
  /** Time limit of each, in milliseconds. Default 30,000. */
  timeout?: number | undefined
}

const acceptHeaders = {
  AVIF: 'image/avif,image/webp,*/*',
  WebP: 'image/webp,*/*',
  JPEG: 'image/jpeg,*/*;q=0.5',
}

/**
 * Measures one picture at every allowed width as browsers of several generations get it, a few at a time. A width that
 * fails says why, and the others go on. Ask once and keep the answer: it takes as long as the pictures take to be made.
 *
 * @throws TypeError (as a rejection) for a time limit or number that is none.
 * @example
 * const measured = await measureImages({ fetch: imageProxy, loader, src: '/media/cat.jpg' })
 * measured[0]?.deliveries[0] // { format: 'AVIF', type: 'image/avif', bytes: 1893, size: { width: 16, height: 11 } }
 */
export async function measureImages(options: MeasureImagesOptions): Promise<MeasuredImage[]> {
  const { loader, src, widths = defaultWidths, accept = acceptHeaders, origin = 'http://localhost' } = options
  const { concurrency = 4, timeout = 30_000, fetch } = options
  checkTimeout(timeout)
  if (!(concurrency >= 1)) throw new TypeError(`concurrency: '${concurrency}' is no use; write a number from 1 on`)

  const images = widths.map((width) => ({ width, url: loader({ src, width }), deliveries: [] as ImageDelivery[] }))
  const wanted = images.flatMap(({ url, deliveries }) =>
    Object.entries(accept).map(([format, header], index) => async () => {
      const signal = AbortSignal.timeout(timeout)
      const ask = () => fetch(new Request(new URL(url, origin), { headers: { Accept: header }, signal }))
      deliveries[index] = { format, ...(await measure(ask, signal)) }
    }),
  )
  // One line of work, taken from by each: nobody waits for the slowest of a batch.
  const line = wanted.values()
  const work = async () => {
    for (const next of line) await next()
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, wanted.length) }, work))
  return images
}

type Measured = Omit<ImageDelivery, 'format'>

async function measure(ask: () => Promise<Response | undefined>, signal: AbortSignal): Promise<Measured> {
  // Raced, since a handler may not heed the signal.
  const late = new Promise<Measured>((resolve) => {
    signal.addEventListener('abort', () => resolve({ problem: 'Timed out' }), { once: true })
  })
  try {
    return await Promise.race([ask().then(measureResponse), late])
  } catch (error) {
    return { problem: signal.aborted ? 'Timed out' : describeError(error) }
  }
}

async function measureResponse(response: Response | undefined): Promise<Measured> {
  if (!response) return { problem: 'No answer: not a route of this handler' }
  const type = response.headers.get('Content-Type')?.split(';')[0]?.trim()
  if (!response.ok) return { problem: `${response.status} ${await reasonOf(response)}`.trim() }
  if (!type?.startsWith('image/')) {
    await response.body?.cancel()
    return { problem: `No image, but ${type || 'something without a type'}` }
  }
  const body = new Uint8Array(await response.arrayBuffer())
  return { type, bytes: body.length, size: imageSizeOf(body) }
}

/** What the proxy says in `error`, else the status text. */
async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'string' ? error : response.statusText
}
