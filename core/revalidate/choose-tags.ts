import { optionError } from '../option-error.js'
import { checkTagList } from '../tag-names.js'
import { readBody } from './body.js'
import {
  type GetTags,
  mapPayload,
  narrowTags,
  type PurgeableImages,
  refuseTags,
  type TagsResult,
  tagsOfPaths,
} from './body-tags.js'

/** The options of the endpoint that say which tags a request may invalidate. */
export interface TagOptions {
  tags?: readonly string[] | undefined
  allowTags?: boolean | undefined
  getTags?: GetTags | undefined
  images?: PurgeableImages | undefined
  verify?: unknown
}

/** Creates the function that returns the tags to invalidate for a request. */
export function createChooseTags(options: TagOptions) {
  const { tags = ['document'], allowTags = false, getTags, images, verify } = options
  const configured = checkTagList(tags)
  if (configured.length === 0) throw optionError('tags', "a list of one or more tags, such as ['document']", configured)
  if (getTags && (allowTags || options.tags)) {
    throw new TypeError('getTags: expected neither tags nor allowTags beside it, got one of them')
  }
  return async (request: Request, body: Uint8Array | undefined): Promise<TagsResult> => {
    const parameters = new URL(request.url).searchParams
    const paths = getTags ? [] : parameters.getAll('path')
    if (paths.length > 0) return tagsOfPaths(paths, images, request.url)
    // A CMS that signs or sends a payload may have parameters of its own, and a host `x-…`, such as Vercel.
    const unknown = getTags || verify ? undefined : [...parameters.keys()].find((name) => !name.startsWith('x-'))
    if (unknown !== undefined) {
      return { error: { status: 400, error: `Unknown parameter ${unknown.slice(0, 100)}: expected path` } }
    }
    if (!getTags && !allowTags) {
      // One of unknown length may have no end.
      const hasLength = Number(request.headers.get('Content-Length')) > 0
      const bytes = body ?? (hasLength ? (await readBody(request)).bytes : undefined)
      return (bytes && refuseTags(bytes)) ?? { tags: configured }
    }
    const { bytes, error } = body ? { bytes: body } : await readBody(request)
    if (error) return { error }
    return getTags ? mapPayload(getTags, bytes) : narrowTags(configured, bytes)
  }
}
