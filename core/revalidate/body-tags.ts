import { checkTagList, pathTag } from '../tag-names.js'
import type { EndpointError } from './errors.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The tags to invalidate, or the error for an invalid body. */
export type TagsResult =
  | {
      tags: readonly string[]
      /** Whether the response says them, since the request did not. */
      isListed?: boolean
      /** Whether `getTags` returned empty tags, too, which no response has. */
      hasEmpty?: boolean
      error?: never
    }
  | { error: EndpointError; tags?: never }

/** What the endpoint needs of the site's images. */
export interface PurgeableImages {
  /** Returns the tag of a source; `undefined` when it is none. */
  tagOf(src: string): string | undefined
  invalidate(sources: readonly string[]): Promise<void>
}

/** Returns the tags that the JSON payload of a webhook affects; an empty list when it affects none. */
export type GetTags = (payload: unknown) => readonly string[]

/**
 * Maps a JSON body to tags with the user's function. Empty tags, as a missing field makes them, are left out: an error
 * would keep the others from being purged, each time that the CMS sends the payload again.
 *
 * @throws TypeError when it does not return a list of tags, and whatever it throws itself.
 */
export function mapPayload(getTags: GetTags, body: Uint8Array): TagsResult {
  const payload = parseJson(body)
  if (payload === undefined) return badRequest('Body is not JSON')
  const given: unknown = getTags(payload)
  const tags = Array.isArray(given) ? given.filter((tag) => typeof tag !== 'string' || tag.trim() !== '') : given
  const hasEmpty = Array.isArray(given) && Array.isArray(tags) && tags.length < given.length
  return { tags: checkTagList(tags, 'getTags'), ...(hasEmpty && { hasEmpty }) }
}

/**
 * Narrows the configured tags to those of a JSON body `{"tags": […]}`. An empty body, or an object without `tags`,
 * narrows nothing. Other fields are ignored, since each CMS has its own.
 *
 * @example narrowTags(['document', 'menu'], new TextEncoder().encode('{"tags":["menu"]}')) // { tags: ['menu'] }
 */
export function narrowTags(configured: readonly string[], body: Uint8Array): TagsResult {
  if (body.length === 0) return { tags: configured }
  const json = parseJson(body)
  if (json === undefined) return badRequest('Body is not JSON')
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return badRequest('Body must be an object such as {"tags":["document"]}')
  }
  const { tags } = json as { tags?: unknown }
  if (tags === undefined) return { tags: configured }
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    return badRequest('tags must be an array of strings')
  }
  // `{"revalidated":true}` would be wrong when nothing was invalidated.
  if (tags.length === 0) return badRequest('tags must name at least one tag')
  const unknown = tags.find((tag) => !configured.includes(tag))
  if (unknown !== undefined)
    return badRequest(
      `Unknown tag ${JSON.stringify(unknown.slice(0, 100))}: list it in the option tags, or return it from getTags`,
    )
  return { tags: configured.filter((tag) => tags.includes(tag)) }
}

// With `sources: 'any'`, or a folder for '/', every path may be that of an image.
const imagePath = /\.(?:avif|bmp|gif|hei[cf]|jfif|jpe?g|jxl|png|svg|tiff?|webp)(?:[?#]|$)/i

/**
 * Returns the tags of paths: for an image its own, for any other path that of the page, whatever its query, for one that may
 * be either both. A URL of the site itself is its path. What looks like an image and is under no source is an error, since it
 * would leave the image.
 *
 * @param endpoint URL of the request.
 * @example tagsOfPaths(['/media/cat.jpg', '/about/?a=1'], images, 'https://www.example.com/api/revalidate')
 * // { tags: ['/media/cat.jpg', '/about'], isListed: true }
 */
export function tagsOfPaths(
  paths: readonly string[],
  images: PurgeableImages | undefined,
  endpoint: string,
): TagsResult {
  const tags = new Set<string>()
  for (const path of paths) {
    const pathname = pathOnSite(path, endpoint)
    // Without its query, too, which sources have only where their prefix says so.
    const tag = images?.tagOf(path) ?? (pathname === undefined ? undefined : images?.tagOf(pathname))
    const isImage = images !== undefined && imagePath.test(pathname ?? path)
    if (tag !== undefined) tags.add(tag)
    else if (pathname === undefined) return badRequest('path must be a path such as /about, or a URL of this site')
    else if (isImage) return badRequest(`No source of the images has ${pathname.slice(0, 200)}`)
    if (pathname !== undefined && !isImage) tags.add(pathTag(pathname))
  }
  return { tags: [...tags], isListed: true }
}

/** The path of a URL of the site; `undefined` for a URL of another one. Behind a proxy that ends TLS, schemes differ. */
function pathOnSite(path: string, endpoint: string): string | undefined {
  const isUrl = /^(?:\/|https?:)/i.test(path) && URL.canParse(path, endpoint)
  const { host, pathname } = new URL(isUrl ? path : '', endpoint)
  return isUrl && host === new URL(endpoint).host ? pathname : undefined
}

/** Returns the error for a body of `tags` alone where none may name any: they would be ignored, and all tags purged. */
export function refuseTags(body: Uint8Array): TagsResult | undefined {
  const json = parseJson(body)
  // A CMS may have a field of this name among its own.
  const isMeant = typeof json === 'object' && json !== null && Object.keys(json).join() === 'tags'
  return isMeant ? badRequest('tags of a body are not allowed: set the option allowTags') : undefined
}

function badRequest(error: string): TagsResult {
  return { error: { status: 400, error } }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    return undefined // not UTF-8, or not JSON
  }
}
