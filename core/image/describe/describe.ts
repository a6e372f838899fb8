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
import { describeOriginal, type ImageDescription, type OriginalInfo } from './original.js'
import { describeByRenderings } from './renderings.js'

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
