import { decodeSource, isEncodable, maxSourceBytes } from '../source-encoding.js'
import { InvalidPathError } from './invalid-path-error.js'
import { type ProcessingOptions, parseProcessingOptions } from './processing-options.js'

/** What a path asks for. */
export interface ImgproxyPath {
  options: ProcessingOptions
  /** Path or URL of the original, decoded. */
  source: string
}

/**
 * Formats the path that the image proxy signs: the original scaled to a width, in its own aspect ratio.
 *
 * @param width In pixels, as digits.
 * @param encodedSource As `encodeSource` returns it.
 * @example formatImgproxyPath('640', 'L21lZGlhL2NhdC5qcGc') // '/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc'
 */
export function formatImgproxyPath(width: string, encodedSource: string): string {
  return `/rs:fill:${width}/g:sm/${encodedSource}`
}

/**
 * Splits `/{signature}/{path}`. The path keeps its leading slash, which is part of what was signed. Returns `undefined`
 * when one of the two is missing.
 */
export function splitSignature(pathname: string): { signature: string; path: string } | undefined {
  const [, signature, path] = /^\/([^/]+)(\/.+)$/s.exec(pathname) ?? []
  return signature && path ? { signature, path } : undefined
}

/**
 * Parses the signed part of an imgproxy URL (https://docs.imgproxy.net/usage/processing): processing options, then the
 * source. The source is either unpadded URL-safe base64, which may contain slashes and end in `.{format}`, or `plain/`
 * and percent-encoded text, which may end in `@{format}`.
 *
 * @throws InvalidPathError
 * @example parseImgproxyPath('/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc') // { source: '/media/cat.jpg', options: … }
 */
export function parseImgproxyPath(path: string): ImgproxyPath {
  const segments = path.slice(1).split('/')
  const sourceIndex = segments.findIndex((segment) => !segment.includes(':'))
  if (sourceIndex === -1) throw new InvalidPathError('no source')
  const isPlain = segments[sourceIndex] === 'plain'
  const { source, format } = isPlain
    ? parsePlainSource(segments.slice(sourceIndex + 1).join('/'))
    : parseEncodedSource(segments.slice(sourceIndex).join(''))
  const options = segments.slice(0, sourceIndex)
  if (format) options.push(`ext:${format}`)
  return { source, options: parseProcessingOptions(options) }
}

function parseEncodedSource(encoded: string) {
  const [base64 = '', format, ...more] = encoded.split('.')
  const source = decodeSource(base64.replace(/={1,2}$/, ''))
  if (!source || more.length > 0) throw new InvalidPathError('the source is not URL-safe base64 of a path or URL')
  return { source, format }
}

function parsePlainSource(escaped: string) {
  const [escapedSource = '', format, ...more] = escaped.split('@')
  const source = decodePercent(escapedSource)
  if (!source || more.length > 0) throw new InvalidPathError("the source after 'plain/' is not percent-encoded")
  if (!isEncodable(source)) {
    throw new InvalidPathError(`the source has control characters or more than ${maxSourceBytes} bytes`)
  }
  return { source, format }
}

function decodePercent(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined // malformed escape sequence
  }
}
