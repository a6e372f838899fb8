import { parseRoutePath } from '../route-path.js'
import { type Refusal, refusals } from './errors.js'
import { createSigner, parseHex } from './imgproxy/sign.js'
import { defaultPrefix } from './loader.js'
import { decodeSource, encodeSource } from './source-encoding.js'
import { createSourceMatcher, type Sources } from './sources.js'
import { defaultWidths, sortWidths } from './widths.js'

/** What decides about an image request. */
export interface ImagePlanOptions {
  /** First part of the path that the proxy answers. Default `'_image'`. */
  prefix?: string | undefined
  /** Prefixes that may be resized, the same list as the loader's; or `'any'`. */
  sources: Sources
  /** Allowed widths in pixels. Default {@link defaultWidths}. */
  widths?: readonly number[] | undefined
  /** Base URL of the imgproxy-compatible service. Without it, requests are answered with 500. */
  serviceUrl?: string | undefined
  /** Signing key as hex. Without it, requests are answered with 500. */
  key?: string | undefined
  /** Signing salt as hex. Without it, requests are answered with 500. */
  salt?: string | undefined
  /** What a path such as `/media/cat.jpg` is joined to for the service: `'https://www.example.com'` or `'local://'`. */
  sourceBaseUrl?: string | undefined
}

/** What to do with a request: ask the service for `url`, or refuse. */
export type ImagePlan = { url: string; refusal?: never } | { refusal: Refusal; url?: never }

/** Decides about one request; `undefined` when it is not under the proxy's prefix. Pure: asks nobody, logs nothing. */
export type ImagePlanner = (request: Pick<Request, 'method' | 'url'>) => ImagePlan | undefined

/**
 * Creates the decision of the image proxy: which URL of the service answers `/{prefix}/{source}?width={n}`, or why
 * none does.
 *
 * @throws TypeError that names the option when one is malformed: key or salt no hex, a prefix that matches nothing.
 */
export function createImagePlanner(options: ImagePlanOptions): ImagePlanner {
  const base = `${parseRoutePath('prefix', options.prefix ?? defaultPrefix)}/`
  const isAllowed = createSourceMatcher(options.sources)
  const widths = new Set(sortWidths(options.widths ?? defaultWidths).map(String))
  const rewrite = createRewrite(options)

  return ({ method, url }) => {
    const { pathname, searchParams } = new URL(url)
    if (!`${pathname}/`.startsWith(base)) return undefined
    if (method !== 'GET' && method !== 'HEAD') return refuse('methodNotAllowed')
    if (!rewrite) return refuse('notConfigured')

    const encoded = pathname.slice(base.length)
    const [width, ...more] = searchParams.getAll('width')
    if (!encoded || (!width && more.length === 0)) return refuse('missingParameters')
    // Widths are compared as text: '640' is one, '0640', '640.0' and '6e2' are none.
    if (!width || more.length > 0 || !widths.has(width)) return refuse('invalidWidth')
    const source = decodeSource(encoded)
    if (source === undefined) return refuse('invalidSource')
    if (!isAllowed(source)) return refuse('sourceNotAllowed')
    return { url: rewrite(encoded, source, width) }
  }
}

function refuse(reason: keyof typeof refusals): ImagePlan {
  return { refusal: refusals[reason] }
}

type Rewrite = (encoded: string, source: string, width: string) => string

function createRewrite({ serviceUrl, key, salt, sourceBaseUrl }: ImagePlanOptions): Rewrite | undefined {
  // Each is checked even where another is missing: what is malformed is a mistake in the code, not in the environment.
  const service = serviceUrl ? parseServiceUrl(serviceUrl) : undefined
  const join = sourceBaseUrl ? createJoin(sourceBaseUrl) : undefined
  if (key) parseHex('key', key)
  if (salt) parseHex('salt', salt)
  if (!service || !key || !salt) return undefined

  const sign = createSigner({ key, salt })
  return (encoded, source, width) => {
    const joined = join && source.startsWith('/') ? encodeSource(join(source)) : encoded
    const path = `/rs:fill:${width}/g:sm/${joined}`
    return service + sign(path) + path
  }
}

function parseServiceUrl(serviceUrl: string): string {
  const url = URL.canParse(serviceUrl) ? new URL(serviceUrl) : undefined
  if (url?.username || url?.password) {
    throw new TypeError(
      'serviceUrl: holds a user or password, which no request can; use serviceSecret for a bearer secret',
    )
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError(`serviceUrl: '${serviceUrl}' is no base URL; write one such as 'https://imgproxy.example.com'`)
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

function createJoin(sourceBaseUrl: string): (source: string) => string {
  const [, base] = /^(local:\/\/|[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+)\/?$/i.exec(sourceBaseUrl) ?? []
  if (!base) {
    throw new TypeError(
      `sourceBaseUrl: '${sourceBaseUrl}' is no origin; write one such as 'https://www.example.com', or 'local://'`,
    )
  }
  return (source) => base + source
}
