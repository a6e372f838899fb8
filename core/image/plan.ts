import { LRUCache } from 'lru-cache'
import { optionError } from '../option-error.js'
import { isBelowRoute, parseRoutePath } from '../routes.js'
import { type Cards, formatCardQuery } from './card.js'
import { type ErrorResponse, errors } from './errors.js'
import { maxSide } from './imgproxy.js'
import type { ImageLoaderOptions } from './loader.js'
import { createQueryReader, formatImageQuery, urlAdvice } from './parameters.js'
import type { ImageRequest, Point } from './service.js'
import { defaultRatios, heightOf } from './shape.js'
import { createSourceNames, sourceTag } from './source-names.js'
import { decodeSource, defaultPrefix, defaultWidths } from './url.js'
import { findVersion } from './versions.js'

/** The plan of an image that the service makes. */
export interface PlannedImage {
  image: ImageRequest
  /** Whether the URL or the source names a version, so that the image never changes. */
  isImmutable: boolean
  /** The tag that purges the source; for a card, a list with its own tags. */
  tag: string | undefined
}

/** The plan of a request that is answered with an error. */
export interface ImageRejection {
  error: ErrorResponse
  /** The reason, and advice for the developer. */
  reason?: string
  /** The invalid value, if each invalid value is worth a warning of its own. */
  value?: string | undefined
}

/** How to answer a request: with `image`, a redirect to `location`, or `error`. */
export type ImagePlan =
  | PlannedImage
  | ImageRejection
  /** The image's current URL, as path and query, when the request names another version of the image. */
  | { location: string }

/** Pure function that decides how to answer a request. Returns `undefined` if its path is not under the proxy's prefix. */
export type ImagePlanner = (request: Pick<Request, 'method' | 'url'>) => ImagePlan | undefined

/**
 * Creates the pure part of the image proxy. For a request to `/{prefix}/{source}?width={n}`, it returns the image to make,
 * or the error to respond with.
 *
 * Each image has one URL, the URL that the loader writes, because caches in front of the proxy keep an entry for each
 * URL; only a slash at the end of its path is allowed. Another spelling of an allowed source gets 400 `Invalid source`, and so does a source with a query if the
 * matching prefix in `sources` does not allow queries. After width, ratio and focus, the rest of the query is checked:
 * an unknown parameter, or another order or spelling, gets 400 `Unknown parameters`. If it were ignored, one image could
 * have any number of URLs. With the option `version`, each image has a second URL, with the current version.
 *
 * @param isConfigured Whether there is a service. If not, each image is answered with 500.
 * @param cards Reads the addresses of social cards. `undefined`: the service draws no cards.
 * @throws TypeError that names the malformed option.
 * @example
 * const plan = createPlanner({ sources: ['/media/'] })
 * plan({ method: 'GET', url: 'https://www.example.com/_image/L21lZGlhL2NhdC5qcGc?width=640' })
 * // { image: { source: '/media/cat.jpg', width: 640, … }, isImmutable: false, tag: '/media/cat.jpg' }
 */
export function createPlanner(options: ImageLoaderOptions, isConfigured = true, cards?: Cards): ImagePlanner {
  const { sources, version: versionOf } = options
  const route = parseRoutePath('prefix', options.prefix ?? defaultPrefix)
  const nameOf = createSourceNames(sources)
  const read = createQueryReader(options)
  const { widths = defaultWidths, ratios = defaultRatios } = options
  const highest = ratios.find((ratio) => heightOf(Math.max(...widths), ratio) > maxSide)
  if (highest !== undefined) throw optionError('ratios', `images of at most ${maxSide} pixels in height`, highest)

  return ({ method, url }) => {
    const { pathname, search, searchParams } = new URL(url)
    if (!isBelowRoute(pathname, route)) return undefined
    // Next.js with `trailingSlash` and some static hosts redirect each URL to the one with a slash.
    const encoded = pathname.slice(route.length + 1).replace(/\/$/, '')
    if (isOfFramework(encoded, searchParams)) return undefined
    if (method !== 'GET' && method !== 'HEAD') return { error: errors.methodNotAllowed }
    if (!isConfigured) return { error: errors.notConfigured }
    const source = decodeSource(encoded)
    const isCard = cards !== undefined && searchParams.has('card')
    const { parameters, invalid, card } = isCard
      ? cards.read(search, searchParams, source)
      : { ...read(search, searchParams), card: undefined }
    if (!encoded || !parameters.width) {
      return { error: errors.missingParameters, reason: `expected /{prefix}/{source}?width={n}; ${urlAdvice}` }
    }
    if (invalid) return invalid
    const { name, problem } = source === undefined ? {} : nameOf(source)
    if (problem === 'prefix') {
      const reason = `sources: expected a prefix of ${source}, got ${[...sources].join(', ')}`
      return { error: errors.sourceNotAllowed, reason }
    }
    if (name === undefined || name !== source) {
      const expected = 'unpadded base64url of a source as the loader spells it'
      const reason = `source: expected ${expected}, got '${source ?? ''}'; ${urlAdvice}`
      return { error: errors.invalidSource, reason }
    }
    const { v: version, ratio, focus } = parameters
    const current = version && findVersion(versionOf?.requested ?? versionOf, name)
    // Redirects a version that is outdated or made up, so that each image has one URL in every cache.
    if (version !== current) {
      const query =
        'card' in parameters
          ? formatCardQuery(parameters.card, current)
          : formatImageQuery({ ...parameters, v: current })
      return { location: pathname + query }
    }
    const image = { source, width: Number(parameters.width), ratio, focus: pointOf(focus), version, card: card?.text }
    const tag = [sourceTag(name) ?? [], card?.tags ?? []].flat().join(', ') || undefined
    return { image, isImmutable: version !== undefined || hasOwnVersion(name), tag }
  }
}

/**
 * Whether a request under the prefix is for the images of a framework, which has the same prefix and answers it itself:
 * `?href=` of Astro, or modifiers and a path of IPX and Nuxt, as in `/f_webp,w_640/cat.jpg`. A source of the loader has
 * no slash.
 */
function isOfFramework(encoded: string, searchParams: URLSearchParams): boolean {
  return encoded === '' ? searchParams.has('href') : /^[a-z\d,&]*_[^/]*\/./.test(encoded)
}

/** Converts tenths of width and height, such as `3,7`, to fractions. */
function pointOf(focus: string | undefined): Point | undefined {
  const [x, y] = focus?.split(',').map((tenths) => Number(tenths) / 10) ?? []
  return x === undefined || y === undefined ? undefined : { x, y }
}

/** Whether the source's own query has a version, `v`, as content management systems write it: `/media/cat.jpg?v=2`. */
function hasOwnVersion(source: string): boolean {
  const query = source.indexOf('?')
  return query >= 0 && /[?&]v=[^&]/.test(source.slice(query))
}

/**
 * Creates a planner that remembers the most recently requested images, because planning takes as long as all the rest of a
 * repeated request. A URL with a version is planned again each time, since the original may have a new version by now.
 */
export function rememberPlans(plan: ImagePlanner): ImagePlanner {
  const plans = new LRUCache<string, PlannedImage>({ max: 2_000 })
  return (request) => {
    const key = `${request.method} ${request.url}`
    const known = plans.get(key)
    if (known) return known
    const planned = plan(request)
    if (planned && 'image' in planned && planned.image.version === undefined) plans.set(key, planned)
    return planned
  }
}
