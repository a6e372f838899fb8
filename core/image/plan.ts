import { LRUCache } from 'lru-cache'
import { optionError, secretError } from '../option-error.js'
import { checkSecret, checkString, type OptionChecks } from '../options.js'
import { isBelowRoute, parseRoutePath } from '../routes.js'
import { type ErrorResponse, errors } from './errors.js'
import { formatImgproxyPath } from './imgproxy.js'
import { type ImageLoaderOptions, loaderChecks } from './loader.js'
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

/** The options of the planner: those of the loader, and those of the service. */
export interface ImagePlanOptions extends ImageLoaderOptions {
  /** Base URL of the imgproxy-compatible service. Without it, requests are answered with 500. */
  serviceUrl?: string | undefined
  /** Signing key as hex digits. Without it, requests are answered with 500. */
  key?: string | undefined
  /** Signing salt as hex digits. Without it, requests are answered with 500. */
  salt?: string | undefined
  /**
   * Prepended to paths such as `/media/cat.jpg` for the service: `'https://www.example.com'`, `'local://'` or
   * `'s3://bucket'`. Paths are percent-encoded as in URLs. For http and https they stay so, as for a service with a base
   * URL of its own (imgproxy's `IMGPROXY_BASE_URL`) without this option; for other schemes they are decoded, since
   * imgproxy takes them literally. Default: none.
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
  /** The version that the URL names, which is the current one. */
  version?: string | undefined
  /** Whether URL or source names a version, so that its image never changes. */
  isImmutable: boolean
  /** The tag that a purge of the source names. */
  tag: string | undefined
  error?: never
  location?: never
}

/** How to answer a request: fetch `url` from the service, redirect to `location`, or respond with `error`. */
export type ImagePlan =
  | PlannedImage
  /** The image's current URL, as path and query, when the request names another version of it. */
  | { location: string; url?: never; error?: never }
  /** With the source and a reason for the log where the configuration causes the error. */
  | { error: ErrorResponse; source?: string; reason?: string; url?: never; location?: never }

/** Decides how to answer one request. Returns `undefined` when its path is not under the proxy's prefix. Pure. */
export type ImagePlanner = (request: Pick<Request, 'method' | 'url'>) => ImagePlan | undefined

/**
 * Creates the pure part of the image proxy: it decides which URL of the service answers
 * `/{prefix}/{source}?width={n}`, or with which error the request is answered.
 *
 * Each image has one URL, the one that the loader writes, since caches in front of the proxy keep an entry for each URL:
 * another spelling of an allowed source is 400 `Invalid source`, as is a query where its prefix allows no query; and any other
 * parameter, or another spelling of `width`, is 400 `Unknown parameters`, checked after the width. Ignoring parameters
 * would leave one image with any number of URLs. With the option `version`, there is a second one, with the
 * current version.
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
  const createServiceUrl = createServiceUrlFactory(options)
  const { version: versionOf } = options

  return ({ method, url }) => {
    const { pathname, search, searchParams } = new URL(url)
    if (!isBelowRoute(pathname, route)) return undefined
    if (method !== 'GET' && method !== 'HEAD') return { error: errors.methodNotAllowed }
    if (!createServiceUrl) return { error: errors.notConfigured }

    const encoded = pathname.slice(route.length + 1)
    const [width, ...more] = searchParams.getAll('width')
    if (!encoded || (!width && more.length === 0)) return { error: errors.missingParameters }
    // Compared as text: '640' is allowed, '0640', '640.0' and '6.4e2' are not.
    if (!width || more.length > 0 || !widths.has(width)) return { error: errors.invalidWidth }
    const parameters = parseImageQuery(search)
    const version = parameters?.version
    if (!parameters || (version !== undefined && !versionOf)) return { error: errors.unknownParameters }
    const source = decodeSource(encoded)
    if (source === undefined) return { error: errors.invalidSource }
    const { name, problem } = nameOf(source)
    if (problem === 'prefix') return { error: errors.sourceNotAllowed }
    if (name !== source) return { error: errors.invalidSource }
    const current = version && findVersion(versionOf?.requested ?? versionOf, name)
    // A made-up version gets no image, so that each image has one URL in every cache.
    if (version !== current) return { location: pathname + formatImageQuery({ width, version: current }) }
    const { url: planned, reason } = createServiceUrl(name, width)
    if (planned === undefined) return { error: errors.invalidSource, source, reason }
    const isImmutable = version !== undefined || hasOwnVersion(name)
    return { url: planned, source, version, isImmutable, tag: sourceTag(name) }
  }
}

/**
 * Creates a planner that remembers the URLs of the service for the images that were requested last. A URL with a version
 * is planned again each time, since the original may have another one by now.
 */
export function rememberPlans(plan: ImagePlanner): ImagePlanner {
  const plans = new LRUCache<string, PlannedImage>({
    maxSize: 1_000_000, // in characters: some thousand images
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

type ServiceUrlFactory = (
  source: string,
  width: string,
) => { url: string; reason?: never } | { url?: never; reason: string }

function createServiceUrlFactory(options: ImagePlanOptions): ServiceUrlFactory | undefined {
  const { serviceUrl, key, salt, sourceBaseUrl } = options
  // Each is checked even when another one is missing: a malformed value is a mistake in the code, not in the environment.
  const service = serviceUrl ? parseServiceUrl(serviceUrl) : undefined
  const sourceBase = sourceBaseUrl ? parseSourceBaseUrl(sourceBaseUrl) : undefined
  if (key) parseHex('key', key)
  if (salt) parseHex('salt', salt)
  if (!service || !key || !salt) return undefined

  const sign = createSigner({ key, salt })
  return (source, width) => {
    const joined = toServiceSource(sourceBase && source.startsWith('/') ? sourceBase + source : source)
    if (joined.source === undefined) return joined
    const path = formatImgproxyPath(width, encodeSource(joined.source))
    return { url: service + sign(path) + path }
  }
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

/** Returns the base without a slash at its end, its scheme in lower case: imgproxy looks for that. */
function parseSourceBaseUrl(sourceBaseUrl: string): string {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@\\\s]*)\/?$/i.exec(sourceBaseUrl) ?? []
  const base = scheme.toLowerCase() + authority
  const isWeb = /^https?:/.test(base)
  if (isWeb ? URL.canParse(base) : authority || base === 'local://') return isWeb ? new URL(base).origin : base
  throw optionError('sourceBaseUrl', "an origin such as 'https://www.example.com', or 'local://'", sourceBaseUrl)
}
