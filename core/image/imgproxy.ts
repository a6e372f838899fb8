import { optionError, secretError } from '../option-error.js'
import type { ImageRequest } from './service.js'
import { heightOf } from './shape.js'
import { createSigner, parseHex } from './sign.js'
import { decodePercent, encodeSource, isEncodable } from './url.js'

/** Maximum width and height in pixels: the limits of WebP (https://developers.google.com/speed/webp/faq). */
export const maxSide = 16_383

/** Where imgproxy is, and how its URLs are signed. */
export interface ImgproxyAddress {
  /** Base URL of imgproxy. Without it, images are answered with 500 `Image Proxy is not configured`. */
  serviceUrl: string | undefined
  /** imgproxy's signing key (`IMGPROXY_KEY`), as hex digits. Without it, images are answered with 500. */
  key: string | undefined
  /** imgproxy's signing salt (`IMGPROXY_SALT`), as hex digits. Without it, images are answered with 500. */
  salt: string | undefined
  /**
   * Where imgproxy finds `/media/cat.jpg`: below its `IMGPROXY_LOCAL_FILESYSTEM_ROOT` (`'local://'`), in a bucket (`'s3://bucket'`) or
   * on a server (`'https://www.example.com'`). Paths are percent-encoded as in URLs. They stay encoded with http and https, and with `''`,
   * for an imgproxy with `IMGPROXY_BASE_URL`. With other schemes they are decoded, since imgproxy takes them literally. Default `'local://'`.
   */
  sourceBaseUrl?: string | undefined
}

/** A URL at imgproxy, or the reason why it is missing: an option is missing, or the scheme cannot name the source. */
export type ImgproxyUrl = { url: string; reason?: never } | { url?: never; reason: string }

/**
 * Creates the function that returns the signed URL of a source at imgproxy (https://docs.imgproxy.net/usage/processing).
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const urlOf = createImgproxyUrls({ serviceUrl: 'https://imgproxy.example.com', key, salt })
 * urlOf('/media/cat.jpg', formatProcessing({ width: 640 })) // { url: 'https://imgproxy.example.com/…/rs:fill:640/g:sm/…' }
 */
export function createImgproxyUrls({
  serviceUrl,
  key,
  salt,
  sourceBaseUrl = 'local://',
}: ImgproxyAddress): (source: string, processing: string) => ImgproxyUrl {
  // Each option is checked even if another one is missing, because a malformed value is a mistake in the code, not in the environment.
  const service = serviceUrl ? parseServiceUrl(serviceUrl) : undefined
  const sourceBase = sourceBaseUrl ? parseSourceBaseUrl(sourceBaseUrl) : undefined
  if (key) parseHex('key', key)
  if (salt) parseHex('salt', salt)
  if (!service || !key || !salt) return () => ({ reason: 'serviceUrl, key or salt is missing' })

  const sign = createSigner({ key, salt })
  return (name, processing) => {
    const { source, reason } = toImgproxySource(
      sourceBase && name.startsWith('/') ? joinSource(sourceBase, name) : name,
    )
    if (source === undefined) return { reason }
    const path = `/${processing}/${encodeSource(source)}`
    return { url: service + sign(path) + path }
  }
}

/**
 * Formats imgproxy's options for an image: scaled to a width, with its aspect ratio kept or cropped to another one. Unlike `fill`,
 * `fill-down` keeps the ratio of the crop even if the original is too small.
 *
 * @example formatProcessing({ width: 640 }) // 'rs:fill:640/g:sm'
 * @example formatProcessing({ width: 640, ratio: '16:9', focus: { x: 0.3, y: 0.7 } }) // 'rs:fill-down:640:360/g:fp:0.3:0.7'
 */
export function formatProcessing({ width, ratio, focus }: Pick<ImageRequest, 'width'> & Partial<ImageRequest>): string {
  const size = ratio === undefined ? `fill:${width}` : `fill-down:${width}:${heightOf(width, ratio)}`
  return `rs:${size}/g:${focus ? `fp:${focus.x}:${focus.y}` : 'sm'}`
}

// Matches URLs with a scheme other than http(s). Paths do not match, since imgproxy treats them like http(s) URLs.
const literalSource = /^((?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?]*)([^?]*)(.*)$/s

/**
 * Converts a canonical name to the form that imgproxy expects, or returns the reason why its scheme cannot express it. Paths and names with http or https stay unchanged. For
 * other schemes, the path is decoded once, because imgproxy takes the text after `local://`, `s3://`, `gs://`, `abs://` and
 * `swift://` literally (fetcher/transport/url.go), up to a `?`, which starts a query. Names in which decoding would add a `/`
 * are rejected, so the signed source is the one that was checked against `sources`.
 */
export function toImgproxySource(
  name: string,
): { source: string; reason?: never } | { source?: never; reason: string } {
  const [, base = '', path = '', query = ''] = literalSource.exec(name) ?? []
  if (!path.includes('%')) return { source: name }
  const fail = (name: string) => ({ reason: `${base.slice(0, base.indexOf(':'))}:// cannot name ${name}` })
  const literal = decodePercent(path)
  if (literal === undefined) return fail('a file whose name is not UTF-8')
  if (literal.includes('?')) return fail("a file with '?', which starts a query")
  if (literal.split('/').length !== path.split('/').length) return fail("a file with '/' in it")
  const source = base + literal + query
  return isEncodable(source) ? { source } : fail('a file with control characters')
}

/**
 * Joins a base and a path of the site. In a web URL, `+` is escaped, because it stands for a space on servers such as
 * S3.
 */
function joinSource(base: string, source: string): string {
  return base + (base.startsWith('http') ? source.replace(/^[^?]*/, (path) => path.replaceAll('+', '%2B')) : source)
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
  return url.href.replace(/\/?$/, '/')
}

/** Returns the base without a trailing slash and with its scheme in lower case, because imgproxy only recognizes lower case. */
function parseSourceBaseUrl(sourceBaseUrl: string): string {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@\\\s]*)\/?$/i.exec(sourceBaseUrl) ?? []
  const base = scheme.toLowerCase() + authority
  const isWeb = /^https?:/.test(base)
  if (isWeb ? URL.canParse(base) : authority || base === 'local://') return isWeb ? new URL(base).origin : base
  throw optionError('sourceBaseUrl', "an origin such as 'https://www.example.com', or 'local://'", sourceBaseUrl)
}
