import { optionError } from '../option-error.js'
import { createResponse } from '../response-factory.js'
import { createSourceMatcher, type Sources } from './sources.js'

/**
 * Returns the current version of an original, such as a digest of its content, by its canonical name; `undefined` when it
 * has no version. At most 64 letters, digits, `-` and `_`. It is called for each image, so it answers from memory.
 *
 * @example (source) => digests.get(source)
 */
export interface SourceVersion {
  (source: string): string | undefined
  /**
   * Returns the version of a source that a request names. It may return `undefined` where the version takes long to find out: the
   * request is then redirected to the URL without a version. Default: the function itself.
   */
  readonly requested?: ((source: string) => string | undefined) | undefined
  /**
   * Returns the version that the original has at this moment; `undefined` when it has changed. Called when an image has arrived: the
   * image of a later original than its URL says is not kept for a year. Default: the function itself is never out of date.
   */
  readonly current?: ((source: string) => string | undefined) | undefined
  /** The prefixes that have versions. It is a mistake when no source is under them. */
  readonly prefixes?: readonly string[] | undefined
}

/** Returns the version of a source when it can stand in a URL. */
export function findVersion(versionOf: SourceVersion['requested'], source: string): string | undefined {
  const version = versionOf?.(source)
  return version !== undefined && /^[\w-]{1,64}$/.test(version) ? version : undefined
}

/**
 * Checks the prefixes of a version function against the sources.
 *
 * @throws TypeError when they have no source in common: no URL would ever have a version.
 */
export function checkVersionPrefixes(versionOf: SourceVersion | undefined, sources: Sources): void {
  const prefixes = versionOf?.prefixes
  if (!prefixes || sources === 'any') return
  const isSource = createSourceMatcher(sources)
  const hasVersions = createSourceMatcher(prefixes)
  if (prefixes.some(isSource) || sources.some((prefix) => hasVersions(prefix.replace(/\?$/, '')))) return
  throw optionError('version', `versions of sources under ${sources.join(', ')}`, prefixes.join(', '))
}

/** Whether the source's own query has a version, `v`, as content management systems write it: `/media/cat.jpg?v=2`. */
export function hasOwnVersion(source: string): boolean {
  const query = source.indexOf('?')
  return query >= 0 && /[?&]v=[^&]/.test(source.slice(query))
}

/** Creates the redirect to an image's current version. It is not stored, since that changes. */
export function createVersionRedirect(location: string): Response {
  return createResponse(null, { status: 307, headers: { Location: location, 'Cache-Control': 'no-store' } })
}
