import { checkTagList } from '../tag-names.js'
import type { ErrorResponse } from './errors.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The tags to invalidate, or the error for an invalid body. */
export type TagsResult = { tags: readonly string[]; error?: never } | { error: ErrorResponse; tags?: never }

/** What the endpoint needs of the site's images. */
export interface PurgeableImages {
  /** Returns the tag of a source; `undefined` when it is none. */
  tagOf(src: string): string | undefined
  invalidate(sources: readonly string[]): Promise<void>
}

/** Returns the tags that the JSON payload of a webhook affects; an empty list when it affects none. */
export type GetTags = (payload: unknown) => readonly string[]

/**
 * Maps a JSON body to tags with the user's function.
 *
 * @throws TypeError when it does not return a list of tags, and whatever it throws itself.
 */
export function mapPayload(getTags: GetTags, body: Uint8Array): TagsResult {
  const payload = parseJson(body)
  if (payload === undefined) return badRequest('Body is not JSON')
  return { tags: checkTagList(getTags(payload), 'getTags') }
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
  if (unknown !== undefined) return badRequest(`Unknown tag ${JSON.stringify(unknown.slice(0, 100))}`)
  return { tags: configured.filter((tag) => tags.includes(tag)) }
}

// With `sources: 'any'`, or a folder for '/', every path may be that of an image.
const imagePath = /\.(?:avif|bmp|gif|hei[cf]|jfif|jpe?g|jxl|png|svg|tiff?|webp)(?:[?#]|$)/i

/**
 * Returns the tags of paths: for an image its own, for any other path those of all pages, for one that may be either both.
 *
 * @example tagsOfPaths(['document'], ['/media/cat.jpg'], images) // { tags: ['/media/cat.jpg'] }
 */
export function tagsOfPaths(
  configured: readonly string[],
  paths: readonly string[],
  images: PurgeableImages | undefined,
): TagsResult {
  if (!images) return badRequest('path is not configured: give the endpoint the images')
  const invalid = paths.find((path) => !path.startsWith('/') && !URL.canParse(path))
  if (invalid !== undefined) return badRequest('path must be a path such as /media/cat.jpg')
  const tags = paths.flatMap((path) => {
    const tag = images.tagOf(path)
    if (tag === undefined) return configured
    return !path.startsWith('/') || imagePath.test(path) ? tag : [tag, ...configured]
  })
  return { tags: [...new Set(tags)] }
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
