import { imageDimensionsFromData } from 'image-dimensions'
import type { RouteHandler } from '../../handler.js'
import { describeError } from '../../log.js'
import { optionError } from '../../option-error.js'
import { errors, readServiceError } from '../errors.js'
import { defaultMaxAge } from '../image-response.js'
import type { ImageProxyOptions } from '../proxy.js'
import { createServiceAddress, createServiceClient, type ImageServiceOptions } from '../service.js'
import { createSourceNames, sourceTag } from '../source-names.js'
import type { UpstreamResponse } from '../upstream.js'
import { decodeSource, encodeSource } from '../url.js'
import { sampleBlur, sampleSize } from './encode.js'
import { describeOriginal, type ImageDescription, type OriginalInfo } from './original.js'

export interface DescriberOptions extends Pick<ImageProxyOptions, keyof ImageServiceOptions | 'sources' | 'maxAge'> {
  /** Wraps the handler, for example in the cache of the images. */
  wrap?: ((handler: RouteHandler) => RouteHandler) | undefined
}

// The cache stores a description under this address. No visitor's request reaches it, and it is not below any prefix of
// images.
const base = 'http://describe.invalid/.describe/'
// More than a description needs, or the header of an image that is rendered whole.
const maxBytes = 128 * 1024

/**
 * Creates the function that describes images. It asks the image service for `/info/{signature}/{source}`, which the
 * embedded service answers. If the service does not have this path, it asks for small renderings of the image.
 */
export function createDescriber(options: DescriberOptions): (src: string) => Promise<ImageDescription> {
  const { maxAge = defaultMaxAge, sources, wrap = (handler) => handler } = options
  const nameOf = createSourceNames(sources)
  const addressOf = createServiceAddress(options)
  const { redact, headersFor, send } = createServiceClient(options)
  const exchange = { headers: headersFor(new Headers(), null), client: { signal: undefined }, onBodyError: () => {} }
  let hasInfo = true

  const ask = async (name: string, path: string, endpoint = ''): Promise<UpstreamResponse> => {
    if (!addressOf) throw new Error(errors.notConfigured.error)
    const { url, reason } = addressOf(name, (source) => `${path}/${source}`, endpoint)
    if (url === undefined) throw new Error(reason)
    return await send(url, exchange)
  }
  const readStart = async (upstream: UpstreamResponse): Promise<Uint8Array> => {
    if (upstream.status === 200) return await upstream.readStart(maxBytes)
    const { error, reason } = await readServiceError(upstream, redact)
    throw new Error(`${error.error}: ${upstream.failure ?? reason}`)
  }
  const readInfo = async (name: string): Promise<OriginalInfo> => {
    if (hasInfo) {
      const upstream = await ask(name, '', 'info/')
      // imgproxy treats `info` as a signature, and answers with 403.
      hasInfo = upstream.status !== 403
      if (hasInfo) return JSON.parse(new TextDecoder().decode(await readStart(upstream)))
      upstream.discard()
    }
    return await describeByRenderings(async (path) => readStart(await ask(name, `/${path}`)))
  }
  const answer = wrap(async ({ url }) => {
    const name = decodeSource(url.slice(url.lastIndexOf('/') + 1)) ?? ''
    const headers = new Headers({ 'Cache-Control': `public, max-age=${maxAge}, stale-if-error=86400` })
    const tag = sourceTag(name)
    if (tag !== undefined) headers.set('Cache-Tag', tag)
    return Response.json(await readInfo(name), { headers })
  })

  return async (src) => {
    const { name } = typeof src === 'string' ? nameOf(src) : {}
    if (name === undefined) throw optionError('describe', `a path or URL under ${[...sources].join(', ')}`, src)
    try {
      const response = await answer(new Request(base + encodeSource(name)))
      return describeOriginal(src, (await response?.json()) as OriginalInfo)
    } catch (error) {
      throw new Error(`describe: ${src.slice(0, 200)}: ${describeError(error)}`, { cause: error })
    }
  }
}

// Only the Pro version of imgproxy has an endpoint that describes an original. Any imgproxy makes these images.
const sample = (background: string) => `rs:force:${sampleSize}:${sampleSize}:1/bl:${sampleBlur}/bg:${background}/f:bmp`
const whole = 'q:1/f:jpg'

/**
 * Describes an original by three renderings: two samples, on white and on black, which differ where the original is
 * transparent, and the whole image, whose header contains the size after rotation. Type and animation stay unknown.
 *
 * @throws Error if imgproxy fails, or answers with something else.
 */
async function describeByRenderings(fetchStart: (options: string) => Promise<Uint8Array>): Promise<OriginalInfo> {
  // One after the other, so that an original that cannot be rendered fails with the first request.
  const pixels = readBmp(await fetchStart(sample('255:255:255')))
  const onBlack = readBmp(await fetchStart(sample('0:0:0')))
  const size = imageDimensionsFromData(await fetchStart(whole))
  if (size?.type !== 'jpeg') throw new Error('the image service sent no JPEG')
  const isOpaque = pixels.every((value, index) => value === onBlack[index])
  return { width: size.width, height: size.height, isOpaque, pixels: btoa(String.fromCharCode(...pixels)) }
}

/** Reads the pixels of an uncompressed BMP. imgproxy 3 writes rows from the bottom up, imgproxy 4 from the top down. */
function readBmp(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rowBytes = 3 * sampleSize // a multiple of four, so rows are not padded
  const start = bytes.length - rowBytes * sampleSize
  const isWhole = start >= 54 && view.getUint16(0) === 0x424d && view.getUint32(10, true) === start
  if (!isWhole || bytes[18] !== sampleSize || bytes[28] !== 24) throw new Error('the image service sent no BMP')
  const rows = Array.from({ length: sampleSize }, (_, row) =>
    bytes.subarray(start + row * rowBytes).subarray(0, rowBytes),
  )
  if (view.getInt32(22, true) > 0) rows.reverse()
  // Blue comes first.
  return rows.flatMap((row) => Array.from(row, (_, index) => row[index - (index % 3) + 2 - (index % 3)] as number))
}
