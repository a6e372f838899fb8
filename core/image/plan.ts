import { LRUCache } from 'lru-cache'
import { optionError, secretError } from '../option-error.js'
import { checkSecret, checkString, type OptionChecks } from '../options.js'
import { isBelowRoute, parseRoutePath } from '../routes.js'
import { type ErrorResponse, errors } from './errors.js'
import { formatImgproxyPath, maxSide } from './imgproxy.js'
import { type ImageLoaderOptions, loaderChecks } from './loader-options.js'
import { checkRatios, defaultRatios, heightOf } from './ratios.js'
import { createSigner, parseHex } from './sign.js'
import { createSourceNames, sourceTag, toServiceSource } from './source-names.js'
import {
  checkWidths,
  decodeSource,
  defaultPrefix,
  defaultWidths,
  encodeSource,
  formatImageQuery,
  parseImageQuery,
} from './url.js'
import { findVersion, hasOwnVersion } from './versions.js'

/** The options of the planner: the loader's options and the service's. */
export interface ImagePlanOptions extends ImageLoaderOptions {
  /** Base URL of the imgproxy-compatible service. Without it, requests are answered with 500. */
  serviceUrl?: string | undefined
  /** Signing key as hex digits. Without it, requests are answered with 500. */
  key?: string | undefined
  /** Signing salt as hex digits. Without it, requests are answered with 500. */
  salt?: string | undefined
  /**
   * Prepended to paths such as `/media/cat.jpg` for the service: `'https://www.example.com'`, `'local://'` or `'s3://bucket'`. Paths are
   * percent-encoded as in URLs. They stay encoded with http and https, and without this option, for a service with its own base URL
   * (imgproxy's `IMGPROXY_BASE_URL`). With other schemes they are decoded, since imgproxy takes them literally. Default: none.
   */
  sourceBaseUrl?: string | undefined
}

export const plannerChecks: OptionChecks<ImagePlanOptions> = {
  ...loaderChecks,
  serviceUrl: checkString,
  key: checkSecret,
  salt: checkSecret,
  sourceBaseUrl: checkString,
}

/** The plan of an image that is fetched from the service. */
export interface PlannedImage {
  /** URL at the service. */
  url: string
  /** The source, as the loader writes it. */
  source: string
  /** The version in the URL, which is the current version of the source. */
  version?: string | undefined
  /** Whether the URL or the source names a version, so that the image never changes. */
  isImmutable: boolean
  /** The tag that purges the source. */
  tag: string | undefined
  error?: never
  location?: never
}

/** How to answer a request: fetch `url` from the service, redirect to `location`, or respond with `error`. */
export type ImagePlan =
  | PlannedImage
  /** The image's current URL, as path and query, when the request names another version of the image. */
  | { location: string; url?: never; error?: never }
  /** An error, with the source and a reason for the log if the configuration causes it. */
  | { error: ErrorResponse; source?: string; reason?: string; url?: never; location?: never }

/** Pure function that decides how to answer a request. Returns `undefined` if its path is not under the proxy's prefix. */
export type ImagePlanner = (request: Pick<Request, 'method' | 'url'>) => ImagePlan | undefined

/**
 * Creates the pure part of the image proxy: it decides which URL of the service a request for `/{prefix}/{source}?width={n}` is sent to,
 * or which error it is answered with.
 *
 * Each image has one URL, the URL that the loader writes, because caches in front of the proxy keep an entry for each URL. Another
 * spelling of an allowed source gets 400 `Invalid source`, and so does a query if its prefix does not allow queries. Any other
 * parameter, order or spelling gets 400 `Unknown parameters`, which is checked after width, ratio and focus. If such parameters were
 * ignored, one image could have any number of URLs. With the option `version`, each image has a second URL, with the current version.
 *
 * @param options Checked by {@link plannerChecks}.
 * @throws TypeError that names the malformed option.
 * @example
 * const plan = createPlanner({ serviceUrl: 'https://imgproxy.example.com', key, salt, sources: ['/media/'] })
 * plan({ method: 'GET', url: 'https://www.example.com/_image/L21lZGlhL2NhdC5qcGc?width=640' })
 * // { url: 'https://imgproxy.example.com/…/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc', source: '/media/cat.jpg', … }
 */
export function createPlanner(options: ImagePlanOptions): ImagePlanner {
  const route = parseRoutePath('prefix', options.prefix ?? defaultPrefix)
  const nameOf = createSourceNames(options.sources)
  const widths = new Set(checkWidths('widths', options.widths ?? defaultWidths).map(String))
  const findShapeError = createShapeCheck(options)
  const addressOf = createServiceAddress(options)
  const { version: versionOf } = options

  return ({ method, url }) => {
    const { pathname, search, searchParams } = new URL(url)
    if (!isBelowRoute(pathname, route)) return undefined
    if (method !== 'GET' && method !== 'HEAD') return { error: errors.methodNotAllowed }
    if (!addressOf) return { error: errors.notConfigured }

    const encoded = pathname.slice(route.length + 1)
    const [width, ...more] = searchParams.getAll('width')
    if (!encoded || (!width && more.length === 0)) return { error: errors.missingParameters }
    // Compared as text: '640' is allowed, '0640', '640.0' and '6.4e2' are not.
    if (!width || more.length > 0 || !widths.has(width)) return { error: errors.invalidWidth }
    const shapeError = findShapeError(searchParams)
    if (shapeError) return { error: shapeError }
    const parameters = parseImageQuery(search)
    const version = parameters?.version
    if (!parameters || (version !== undefined && !versionOf)) return { error: errors.unknownParameters }
    const source = decodeSource(encoded)
    if (source === undefined) return { error: errors.invalidSource }
    const { name, problem } = nameOf(source)
    if (problem === 'prefix') return { error: errors.sourceNotAllowed }
    if (name !== source) return { error: errors.invalidSource }
    const current = version && findVersion(versionOf?.requested ?? versionOf, name)
    // A made-up version is redirected, so that each image has one URL in every cache.
    if (version !== current) return { location: pathname + formatImageQuery({ ...parameters, version: current }) }
    const { url: planned, reason } = addressOf(name, (encoded) => formatImgproxyPath(parameters, encoded))
    if (planned === undefined) return { error: errors.invalidSource, source, reason }
    const isImmutable = version !== undefined || hasOwnVersion(name)
    return { url: planned, source, version, isImmutable, tag: sourceTag(name) }
  }
}

/** Creates the check of ratio and focus: only what is declared, because each crop is another image in every cache. */
function createShapeCheck({
  widths = defaultWidths,
  ratios = defaultRatios,
  focus: hasFocus = true,
}: ImagePlanOptions) {
  const allowed = checkRatios('ratios', ratios)
  const highest = allowed.find((ratio) => heightOf(Math.max(...widths), ratio) > maxSide)
  if (highest !== undefined) throw optionError('ratios', `images of at most ${maxSide} pixels in height`, highest)
  return (parameters: URLSearchParams): ErrorResponse | undefined => {
    const [ratio, ...moreRatios] = parameters.getAll('ratio')
    if (ratio !== undefined && (moreRatios.length > 0 || !allowed.includes(ratio))) return errors.invalidRatio
    const [focus, ...moreFocuses] = parameters.getAll('focus')
    if (focus === undefined) return undefined
    const isPoint = /^(?:\d|10),(?:\d|10)$/.test(focus) && moreFocuses.length === 0
    return isPoint && hasFocus && ratio !== undefined ? undefined : errors.invalidFocus
  }
}

/**
 * Creates a planner that remembers the service URLs of the most recently requested images. A URL with a version is planned again each
 * time, since the original may have a new version by now.
 */
export function rememberPlans(plan: ImagePlanner): ImagePlanner {
  const plans = new LRUCache<string, PlannedImage>({
    maxSize: 1_000_000, // in characters: a few thousand images
    sizeCalculation: ({ url }, key) => key.length + url.length,
  })
  return (request) => {
    const key = `${request.method} ${request.url}`
    const known = plans.get(key)
    if (known) return known
    const planned = plan(request)
    if (planned?.url !== undefined && planned.version === undefined) plans.set(key, planned)
    return planned
  }
}

/** A URL at the service, or why its scheme cannot name the source. */
type ServiceUrl = { url: string; reason?: never } | { url?: never; reason: string }

/**
 * Creates the function that returns the signed URL of a source at the service; `undefined` if the service is not configured.
 *
 * @throws TypeError that names the malformed option.
 */
export function createServiceAddress(
  options: ImagePlanOptions,
): ((source: string, pathOf: (encodedSource: string) => string, endpoint?: string) => ServiceUrl) | undefined {
  const { serviceUrl, key, salt, sourceBaseUrl } = options
  // Each option is checked even if another one is missing, because a malformed value is a mistake in the code, not in the environment.
  const service = serviceUrl ? parseServiceUrl(serviceUrl) : undefined
  const sourceBase = sourceBaseUrl ? parseSourceBaseUrl(sourceBaseUrl) : undefined
  if (key) parseHex('key', key)
  if (salt) parseHex('salt', salt)
  if (!service || !key || !salt) return undefined

  const sign = createSigner({ key, salt })
  return (source, pathOf, endpoint = '') => {
    const joined = toServiceSource(sourceBase && source.startsWith('/') ? joinSource(sourceBase, source) : source)
    if (joined.source === undefined) return joined
    const path = pathOf(encodeSource(joined.source))
    return { url: service + endpoint + sign(path) + path }
  }
}

/** Joins a path of the site to a base. On the web, its `+` is escaped, which stands for a space on servers such as S3. */
function joinSource(base: string, source: string): string {
  if (!base.startsWith('http')) return base + source
  const [path = '', ...query] = source.split('?')
  return [base + path.replaceAll('+', '%2B'), ...query].join('?')
}

function parseServiceUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.username || url?.password) {
    const expected = 'a URL without user and password, which requests cannot have'
    throw secretError('serviceUrl', expected, 'one with them', 'use serviceSecret for a bearer secret')
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw optionError('serviceUrl', "a base URL such as 'https://imgproxy.example.com'", value)
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** Returns the base without a trailing slash and with its scheme in lower case, because imgproxy only recognizes lower case. */
function parseSourceBaseUrl(sourceBaseUrl: string): string {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@\\\s]*)\/?$/i.exec(sourceBaseUrl) ?? []
  const base = scheme.toLowerCase() + authority
  const isWeb = /^https?:/.test(base)
  if (isWeb ? URL.canParse(base) : authority || base === 'local://') return isWeb ? new URL(base).origin : base
  throw optionError('sourceBaseUrl', "an origin such as 'https://www.example.com', or 'local://'", sourceBaseUrl)
}
