import { optionError } from '../option-error.js'
import { createSourceMatcher, type Sources } from './sources.js'

/**
 * Returns the current version of an original, such as a digest of its content, for its canonical name; `undefined` if it has no version.
 * A version has at most 64 letters, digits, `-` and `_`. The function is called for each image, so it should answer from memory.
 *
 * @example (source) => digests.get(source)
 */
export interface SourceVersion {
  (source: string): string | undefined
  /**
   * Returns the version of a source for a request that names a version. May return `undefined` if finding out the version takes long;
   * the request is then redirected to the URL without a version. Default: the function itself.
   */
  readonly requested?: ((source: string) => string | undefined) | undefined
  /**
   * Returns the version that the original has at this moment; `undefined` if it has changed. Called when an image has arrived: if its
   * original is newer than the version in its URL, the image is not kept for a year. Default: the function itself is assumed to be up to
   * date.
   */
  readonly current?: ((source: string) => string | undefined) | undefined
  /** The prefixes of the sources that have versions. It is an error if no source is under any of them. */
  readonly prefixes?: readonly string[] | undefined
}

/** Returns the version of a source if it is valid in a URL. */
export function findVersion(versionOf: SourceVersion['requested'], source: string): string | undefined {
  const version = versionOf?.(source)
  return version !== undefined && isVersion(version) ? version : undefined
}

/** Whether a version is valid in a URL. */
export function isVersion(version: string): boolean {
  return /^[\w-]{1,64}$/.test(version)
}

/**
 * Checks the prefixes of a version function against the sources.
 *
 * @throws TypeError if they have no source in common, because no URL would ever have a version.
 */
export function checkVersionPrefixes(versionOf: SourceVersion | undefined, sources: Sources): void {
  const prefixes = versionOf?.prefixes
  if (!prefixes || sources === 'any') return
  const isSource = createSourceMatcher(sources)
  const hasVersions = createSourceMatcher(prefixes)
  if (prefixes.some(isSource) || sources.some((prefix) => hasVersions(prefix.replace(/\?$/, '')))) return
  throw optionError('version', `versions of sources under ${sources.join(', ')}`, prefixes.join(', '))
}
