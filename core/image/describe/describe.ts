import type { RouteHandler } from '../../handler.js'
import { optionError } from '../../option-error.js'
import { createRedact } from '../../secrets.js'
import { errors, readServiceError } from '../errors.js'
import { defaultMaxAge } from '../image-response.js'
import { createServiceAddress } from '../plan.js'
import type { ImageProxyOptions } from '../proxy.js'
import { createSendByFetch, type UpstreamResponse } from '../service.js'
import { checkServiceSecret, createServiceHeaders } from '../service-request.js'
import { createSourceNames, sourceTag } from '../source-names.js'
import { decodeSource, encodeSource } from '../url.js'
import { describeOriginal, type ImageDescription, type OriginalInfo } from './original.js'
import { describeByRenderings } from './renderings.js'

export interface DescriberOptions extends ImageProxyOptions {
  /** Wraps the handler, for example in the cache of the images. */
  wrap?: ((handler: RouteHandler) => RouteHandler) | undefined
}

// No visitor's request gets here. The cache stores a description under this address, which is not below any prefix of images.
const base = 'http://describe.invalid/.describe/'
// More than a description has, or the header of an image that is rendered whole.
const maxBytes = 128 * 1024

/**
 * Creates the function that describes images. It asks the image service for `/info/{signature}/{source}`, as the embedded one answers. Where
 * the service has no such path, it asks for small renderings of the image.
 */
export function createDescriber(options: DescriberOptions): (src: string) => Promise<ImageDescription> {
  const { timeout = 10_000, maxAge = defaultMaxAge, sources, wrap = (handler) => handler } = options
  const nameOf = createSourceNames(sources)
  const addressOf = createServiceAddress(options)
  const serviceSecret = checkServiceSecret(options.serviceSecret)
  const redact = createRedact([serviceSecret])
  const send = createSendByFetch(options.fetch ?? ((request) => fetch(request)))
  const headers = createServiceHeaders(new Headers(), serviceSecret)
  let hasInfo = true

  const ask = async (name: string, path: string, endpoint = ''): Promise<UpstreamResponse> => {
    const { url, reason } = addressOf?.(name, (source) => `${path}/${source}`, endpoint) ?? {
      reason: errors.notConfigured.error,
    }
    if (url === undefined) throw new Error(reason)
    return await send(url, { headers, client: { signal: undefined }, timeout, onBodyError: () => {} })
  }
  const readStart = async (upstream: UpstreamResponse): Promise<Uint8Array> => {
    if (upstream.status === 200) return await upstream.readStart(maxBytes)
    const { error, reason } = await readServiceError(upstream, redact)
    throw new Error(`${error.error}: ${upstream.failure ?? reason}`)
  }
  const readInfo = async (name: string): Promise<OriginalInfo> => {
    const upstream = hasInfo ? await ask(name, '', 'info/') : undefined
    // imgproxy takes `info` for a signature.
    if (upstream?.status === 403) hasInfo = false
    if (upstream && upstream.status !== 403) {
      return JSON.parse(new TextDecoder().decode(await readStart(upstream)))
    }
    upstream?.discard()
    return await describeByRenderings(async (path) => readStart(await ask(name, `/${path}`)))
  }
  const answer = wrap(async ({ url }) => {
    const name = decodeSource(url.slice(url.lastIndexOf('/') + 1)) ?? ''
    const tag = sourceTag(name)
    const lifetime = `public, max-age=${maxAge}, stale-if-error=86400`
    return Response.json(await readInfo(name), {
      headers: { 'Cache-Control': lifetime, ...(tag !== undefined && { 'Cache-Tag': tag }) },
    })
  })

  return async (src) => {
    const { name } = typeof src === 'string' ? nameOf(src) : {}
    if (name === undefined) throw optionError('describe', `a path or URL under ${[...sources].join(', ')}`, src)
    try {
      const response = await answer(new Request(base + encodeSource(name)))
      return describeOriginal(src, (await response?.json()) as OriginalInfo)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`describe: ${src.slice(0, 200)}: ${reason}`, { cause: error })
    }
  }
}
