import { ImageFailure } from '../../../adapters/sharp/failure.js'
import { decodeSource, maxSourceBytes } from '../index.js'
import { type ImageOptions, parseOptions } from './processing-options.js'

/** What a URL asks for. */
export interface ImageRequest {
  options: ImageOptions
  /** Path or URL of the original, as the site wrote it. */
  source: string
}

const controlCharacters = /\p{Cc}/u

/**
 * Splits `/{signature}/{the rest}`; the rest keeps its slash, since that is what was signed. `undefined` when there are
 * no two parts.
 */
export function splitSignature(pathname: string): { signature: string; path: string } | undefined {
  const [, signature, path] = /^\/([^/]+)(\/.+)$/s.exec(pathname) ?? []
  return signature && path ? { signature, path } : undefined
}

/**
 * Reads the signed part of a URL as imgproxy does (https://docs.imgproxy.net/usage/processing): options, then the
 * source, either unpadded URL-safe base64, which may be cut by slashes and end in `.{format}`, or `plain/` and
 * percent-encoded, which may end in `@{format}`.
 *
 * @throws ImageFailure 404 that says what could not be read.
 * @example parseImagePath('/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc') // { source: '/media/cat.jpg', options: … }
 */
export function parseImagePath(path: string): ImageRequest {
  const segments = path.slice(1).split('/')
  const start = segments.findIndex((segment) => !segment.includes(':'))
  if (start === -1) throw unreadable('it names no source')
  const isPlain = segments[start] === 'plain'
  const { source, format } = isPlain
    ? readPlain(segments.slice(start + 1).join('/'))
    : readEncoded(segments.slice(start).join(''))
  const written = segments.slice(0, start)
  return { source, options: parseOptions(format === undefined ? written : [...written, `ext:${format}`]) }
}

function readEncoded(encoded: string) {
  const [base64 = '', format, ...more] = encoded.split('.')
  const source = decodeSource(base64.replace(/=+$/, ''))
  if (!source || more.length > 0) throw unreadable('the source is no URL-safe base64 of a path or URL')
  return { source, format: format || undefined }
}

function readPlain(escaped: string) {
  const [escapedSource = '', format, ...more] = escaped.split('@')
  const source = decodePercent(escapedSource)
  if (!source || more.length > 0) throw unreadable("the source after 'plain/' is not percent-encoded")
  if (controlCharacters.test(source) || Buffer.byteLength(source) > maxSourceBytes) {
    throw unreadable(`the source has control characters or more than ${maxSourceBytes} bytes`)
  }
  return { source, format: format || undefined }
}

function decodePercent(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined // a malformed escape
  }
}

function unreadable(why: string): ImageFailure {
  return new ImageFailure(404, `Unreadable URL: ${why}`)
}
