import { optionError, secretError } from '../option-error.js'
import { checkSecret, checkString, functionAs, type OptionChecks } from '../options.js'
import { createRedact } from '../secrets.js'
import { checkTimeout } from '../timeout.js'
import { normalizeImageAccept } from './formats.js'
import { createSigner, parseHex } from './sign.js'
import { toServiceSource } from './source-names.js'
import { createSendByFetch, type UpstreamHandler, type UpstreamOptions } from './upstream.js'
import { encodeSource } from './url.js'

/** How the image service is reached. */
export interface ImageServiceOptions {
  /** Base URL of the imgproxy-compatible service. Without it, requests are answered with 500. */
  serviceUrl?: string | undefined
  /** Signing key as hex digits. Without it, requests are answered with 500. */
  key?: string | undefined
  /** Signing salt as hex digits. Without it, requests are answered with 500. */
  salt?: string | undefined
  /**
   * Prepended to paths such as `/media/cat.jpg` for the service: `'https://www.example.com'`, `'local://'` or `'s3://bucket'`. Paths are
   * percent-encoded as in URLs. They stay encoded with http and https, and without this option, for a service with its own base URL
   * (imgproxy's `IMGPROXY_BASE_URL`). With other schemes they are decoded, since imgproxy takes them literally. Default: none.
   */
  sourceBaseUrl?: string | undefined
  /** Bearer token that the service requires (imgproxy's `IMGPROXY_SECRET`). Default: none. */
  serviceSecret?: string | undefined
  /** Maximum wait for the service in milliseconds: for the head of its response, and for each chunk of the body. Default 10,000. */
  timeout?: number | undefined
  /**
   * Fetches from the service: the embedded image service, or any function shaped like `fetch`. It must not follow redirects (the request
   * has `redirect: 'manual'`), must decode a `Content-Encoding`, and should stop when the request's signal aborts. Default: the global
   * `fetch`. On Node, use `createUpstreamFetch` of `sitewright/node` for a service on another server: if a connection closes while a
   * visitor reads slowly, the global `fetch` crashes the process on Node 22 and 24, and makes a truncated image seem complete on Node 20.
   */
  fetch?: UpstreamHandler | undefined
}

export const serviceChecks: OptionChecks<ImageServiceOptions> = {
  serviceUrl: checkString,
  key: checkSecret,
  salt: checkSecret,
  sourceBaseUrl: checkString,
  serviceSecret: checkServiceSecret,
  timeout: checkTimeout,
  fetch: functionAs('a function, such as createUpstreamFetch()', ['createUpstreamFetch']),
}

/** Checks that a header can contain the secret unchanged, because each request would fail otherwise. */
function checkServiceSecret(option: string, value: unknown): string {
  const secret = checkSecret(option, value)
  if (/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(secret)) return secret
  const expected = 'printable ASCII without white space at its ends'
  throw secretError(option, expected, 'a malformed one', 'check for a line break at its end')
}

/** A URL at the service, or the reason why its scheme cannot name the source. */
type ServiceUrl = { url: string; reason?: never } | { url?: never; reason: string }

/**
 * Creates the function that returns the signed URL of a source at the service; `undefined` if the service is not configured.
 *
 * @throws TypeError that names the malformed option.
 */
export function createServiceAddress(
  options: ImageServiceOptions,
): ((source: string, pathOf: (encodedSource: string) => string, endpoint?: string) => ServiceUrl) | undefined {
  const { serviceUrl, key, salt, sourceBaseUrl } = options
  // Each option is checked even if another one is missing, because a malformed value is a mistake in the code, not in the environment.
  const service = serviceUrl ? parseServiceUrl(serviceUrl) : undefined
  const sourceBase = sourceBaseUrl ? parseSourceBaseUrl(sourceBaseUrl) : undefined
  if (key) parseHex('key', key)
  if (salt) parseHex('salt', salt)
  if (!service || !key || !salt) return undefined

  const sign = createSigner({ key, salt })
  return (source, pathOf, endpoint = '') => {
    const joined = toServiceSource(sourceBase && source.startsWith('/') ? joinSource(sourceBase, source) : source)
    if (joined.source === undefined) return joined
    const path = pathOf(encodeSource(joined.source))
    return { url: service + endpoint + sign(path) + path }
  }
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

/** Creates the functions that send requests to the image service. */
export function createServiceClient({ serviceSecret, timeout = 10_000, fetch: given }: ImageServiceOptions) {
  const send = createSendByFetch(given ?? ((request) => fetch(request)))
  return {
    /** Removes the secret from a text for the log. */
    redact: createRedact([serviceSecret]),
    /**
     * Returns the headers of a request to the service: the formats that the client accepts, its conditions, and the secret of the
     * service. No other header of the client is passed on, so the service gets neither the client's cookies nor its authorization.
     *
     * `If-Modified-Since` is left out if there is an `If-None-Match`, which takes precedence (RFC 9110, section 13.1.3). Otherwise
     * imgproxy would treat an original that was replaced by an older file as unchanged.
     *
     * @param client Headers of the client's request.
     * @param ifNoneMatch The client's entity tags, as the service assigned them.
     */
    headersFor(client: Headers, ifNoneMatch: string | null): Record<string, string> {
      const accept = normalizeImageAccept(client.get('Accept'))
      const since = client.has('If-None-Match') ? null : client.get('If-Modified-Since')
      const headers: Record<string, string> = accept ? { Accept: accept } : {}
      if (ifNoneMatch !== null) headers['If-None-Match'] = ifNoneMatch
      if (since !== null) headers['If-Modified-Since'] = since
      if (serviceSecret) headers.Authorization = `Bearer ${serviceSecret}`
      return headers
    },
    send: (url: string, request: Omit<UpstreamOptions, 'timeout'>) => send(url, { ...request, timeout }),
  }
}
