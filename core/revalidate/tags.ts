import { parseJson } from '../http/body.js'
import { hasImageExtension } from '../image/formats.js'
import { optionError } from '../option-error.js'
import { checkTagList, pathTag } from '../tags.js'
import { EndpointError, type ReadBody } from './authorize.js'

/** The options of the endpoint that say which tags a request may invalidate. */
export interface TagOptions {
  /**
   * Tags to invalidate. Default `['document']`. `?path=/about` purges only that page instead, with all its queries and
   * variants, by the tag that the response cache gives it; the response lists the purged tags:
   * `{"revalidated":true,"tags":["/about"]}`. A URL of the site counts as its path; for a URL of another site, the
   * response is 400.
   */
  tags?: readonly string[] | undefined
  /**
   * Whether a JSON body `{"tags": […]}` may narrow `tags`. Default `false`: such a body is rejected with 400, and any
   * other body is ignored.
   */
  allowTags?: boolean | undefined
  /**
   * Returns the tags to invalidate for the JSON payload of a webhook, instead of `tags`. If the list is empty, nothing
   * is invalidated and the response is 200 `{"revalidated":false}`; if the function throws, the response is a 503.
   */
  getTags?: GetTags | undefined
  /**
   * The tags of the site's content, `createContentTags(…)`. A body is then the payload of a webhook, and its tags are
   * purged. A payload that no source knows has the tag `document`, which purges all pages. The response lists the
   * purged tags, and the log has a line for each purge. A request without a body, or with a `path`, purges the same
   * tags as without this option.
   */
  content?: { getTags(payload: unknown): readonly string[] } | undefined
  /**
   * The site's images, `createImages(…)`. With them, `?path=/media/cat.jpg` purges that image, in all widths and
   * formats; for an image under no source, the response is 400. If a tag of a body is an image source, that image is
   * purged, too. Default: no images; every `path` is a page's path.
   */
  images?: PurgeableImages | undefined
  /**
   * Returns the paths of a page in all languages for one of these paths: `routes.pathsOf`. With it, `?path=/about`
   * purges the page in all languages. If it throws, the response is a 503. Default: only the path itself.
   */
  pathsOf?: ((path: string) => readonly string[] | Promise<readonly string[]>) | undefined
}

/** The parameter of a request that purges nothing, and whose response lists the tags that it would purge. */
export const dryRun = 'dry-run'

/** The tags to invalidate. */
export interface ChosenTags {
  tags: readonly string[]
  /** Whether the response lists the tags, because the request did not name them. */
  isListed?: boolean
  /** Further details for the log. */
  warning?: { message: string; reason: string }
}

/**
 * Creates the function that returns the tags to invalidate for a request.
 *
 * @param isSigned Whether requests are signed by a CMS, which may add its own parameters.
 * @throws TypeError for options that contradict each other; the function throws an EndpointError for a bad request.
 */
export function createChooseTags(options: TagOptions, isSigned: boolean, readBody: ReadBody) {
  const { tags = ['document'], allowTags = false, getTags, content, images, pathsOf } = options
  const configured = checkTagList(tags)
  if (configured.length === 0) throw optionError('tags', "a list of one or more tags, such as ['document']", configured)
  if (getTags && (allowTags || options.tags || content)) {
    throw new TypeError('getTags: expected neither tags, allowTags nor content beside it, got one of them')
  }
  if (content && allowTags) throw new TypeError('content: expected no allowTags beside it, got both')
  const inAllLanguages = async (path: string) => (pathsOf && !hasImageExtension(path) ? pathsOf(path) : [path])
  return async (request: Request, body: Uint8Array | undefined): Promise<ChosenTags> => {
    const parameters = new URL(request.url).searchParams
    if (getTags) return mapPayload(getTags, body ?? (await readBody(request)))
    const paths = parameters.getAll('path')
    if (paths.length > 0) {
      const translated = await Promise.all(paths.map(inAllLanguages))
      return tagsOfPaths(translated.flat(), images, request.url)
    }
    if (content) {
      const payload = body ?? (await readBody(request).catch(purgeAll))
      if ('tags' in payload) return payload
      const contentTags = payload.length > 0 && content.getTags(parseJson(payload))
      return contentTags ? { tags: checkTagList(contentTags, 'content'), isListed: true } : { tags: configured }
    }
    // Hosts such as Vercel add `x-…` parameters.
    const isAllowed = (name: string) => name.startsWith('x-') || name === dryRun
    const unknown = isSigned ? undefined : [...parameters.keys()].find((name) => !isAllowed(name))
    if (unknown !== undefined) throw badRequest(`Unknown parameter ${unknown.slice(0, 100)}: expected path`)
    if (allowTags) return narrowTags(configured, body ?? (await readBody(request)))
    // A body of unknown length is not read, because it may never end.
    const hasLength = Number(request.headers.get('Content-Length')) > 0
    const ignored = body ?? (hasLength ? await readBody(request).catch(() => undefined) : undefined)
    if (ignored) refuseTags(ignored)
    return { tags: configured }
  }
}

const emptyTag = { message: 'Empty tag ignored', reason: 'getTags returned an empty tag' }

/**
 * Returns the tag of all pages for a payload that is too large: its sender has the token, and sends it only once.
 *
 * @throws the error if the body cannot be read for another reason.
 */
function purgeAll(error: unknown): ChosenTags {
  if (!(error instanceof EndpointError) || error.status !== 413) throw error
  const message = `${error.message}; all pages are purged`
  return { tags: ['document'], isListed: true, warning: { message, reason: String(error.detail.reason) } }
}

/** The part of the site's images that the endpoint needs. */
export interface PurgeableImages {
  /** Returns the tag of a source, or `undefined` for any other text. */
  tagOf(src: string): string | undefined
  invalidate(sources: readonly string[]): Promise<void>
}

/** Returns the tags that the JSON payload of a webhook affects. The list may be empty. */
export type GetTags = (payload: unknown) => readonly string[]

/**
 * Maps a JSON body to tags with the user's function. Empty tags, which result from missing fields, are left out. After
 * an error, the other tags would never be purged, however often the CMS sends the payload again.
 *
 * @throws EndpointError if the body is not JSON, TypeError if the function does not return a list of tags, and the
 *   function's own errors.
 */
export function mapPayload(getTags: GetTags, body: Uint8Array): ChosenTags {
  const payload = parseJson(body)
  if (payload === undefined) throw badRequest('Body is not JSON')
  const result: unknown = getTags(payload)
  const tags = Array.isArray(result) ? result.filter((tag) => typeof tag !== 'string' || tag.trim() !== '') : result
  const hasEmpty = Array.isArray(result) && Array.isArray(tags) && tags.length < result.length
  return { tags: checkTagList(tags, 'getTags'), ...(hasEmpty && { warning: emptyTag }) }
}

/**
 * Narrows the configured tags to the tags in a JSON body `{"tags": […]}`. An empty body, or an object without `tags`,
 * narrows nothing. Other fields are ignored, because each CMS has its own fields.
 *
 * @throws EndpointError for any other body.
 * @example narrowTags(['document', 'menu'], new TextEncoder().encode('{"tags":["menu"]}')) // { tags: ['menu'] }
 */
export function narrowTags(configured: readonly string[], body: Uint8Array): ChosenTags {
  if (body.length === 0) return { tags: configured }
  const json = parseJson(body)
  if (json === undefined) throw badRequest('Body is not JSON')
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw badRequest('Body must be an object such as {"tags":["document"]}')
  }
  const { tags } = json as { tags?: unknown }
  if (tags === undefined) return { tags: configured }
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
    throw badRequest('tags must be an array of strings')
  }
  // `{"revalidated":true}` would be wrong when nothing was invalidated.
  if (tags.length === 0) throw badRequest('tags must name at least one tag')
  const unknown = tags.find((tag) => !configured.includes(tag))
  if (unknown !== undefined)
    throw badRequest(
      `Unknown tag ${JSON.stringify(unknown.slice(0, 100))}: list it in the option tags, or return it from getTags`,
    )
  return { tags: configured.filter((tag) => tags.includes(tag)) }
}

/**
 * Returns the tags of paths: the image's tag for an image, and the page's tag, which covers all its queries, for any
 * other path. A path that may be either, as with `sources: 'any'`, has both tags. A URL of the site itself counts as
 * its path.
 *
 * @param endpoint URL of the request.
 * @throws EndpointError for a URL of another site, and for a path with an image extension that is under no source,
 *   because purging only a page would leave the image.
 * @example tagsOfPaths(['/media/cat.jpg', '/about/?a=1'], images, 'https://www.example.com/api/revalidate')
 * // { tags: ['/media/cat.jpg', '/about'], isListed: true }
 */
export function tagsOfPaths(
  paths: readonly string[],
  images: PurgeableImages | undefined,
  endpoint: string,
): ChosenTags {
  const tags = new Set<string>()
  for (const path of paths) {
    const pathname = pathOnSite(path, endpoint)
    // The path is also tried without its query, because only some prefixes allow sources with a query.
    const tag = images?.tagOf(path) ?? (pathname === undefined ? undefined : images?.tagOf(pathname))
    const isImage = images !== undefined && hasImageExtension(pathname ?? path)
    if (tag !== undefined) tags.add(tag)
    else if (pathname === undefined) throw badRequest('path must be a path such as /about, or a URL of this site')
    else if (isImage) throw badRequest(`No source of the images has ${pathname.slice(0, 200)}`)
    if (pathname !== undefined && !isImage) tags.add(pathTag(pathname))
  }
  return { tags: [...tags], isListed: true }
}

/**
 * Returns the path of a URL of the site, else `undefined`. The scheme is ignored, because a proxy that terminates TLS
 * changes it.
 */
function pathOnSite(path: string, endpoint: string): string | undefined {
  const isUrl = /^(?:\/|https?:)/i.test(path) && URL.canParse(path, endpoint)
  const { host, pathname } = new URL(isUrl ? path : '', endpoint)
  return isUrl && host === new URL(endpoint).host ? pathname : undefined
}

/**
 * Rejects a body that contains only `tags` if bodies may not name tags. Its tags would be ignored, and all configured
 * tags purged.
 *
 * @throws EndpointError
 */
function refuseTags(body: Uint8Array): void {
  const json = parseJson(body)
  // The payload of a CMS may have a field of this name among others.
  if (typeof json !== 'object' || json === null || Object.keys(json).join() !== 'tags') return
  throw badRequest('tags of a body are not allowed: set the option allowTags')
}

function badRequest(message: string): EndpointError {
  return new EndpointError(400, message)
}
