import { namedMediaTypes } from '../http/accept.js'
import { secretError } from '../option-error.js'

/**
 * The image types that are sent only to clients whose `Accept` names them: what imgproxy chooses a format by
 * (https://docs.imgproxy.net/configuration/options#format-selection).
 */
export const negotiatedTypes: readonly string[] = ['image/avif', 'image/jxl', 'image/webp']

/**
 * Returns the `Accept` that the image proxy sends to the service in place of the client's: those of AVIF, JPEG XL and WebP that it
 * names with a quality above 0 (RFC 9110, section 12.5.1), in this order; `null` with none of them. For a response cache in
 * front of the proxy: with the client's own, each further type that a client names is another image, rendered and stored.
 *
 * @example
 * createResponseCache({ store, bypass: () => false, fields: { Accept: normalizeImageAccept } }).wrap(createImageProxy(options))
 */
export function normalizeImageAccept(accept: string | null): string | null {
  const named = namedMediaTypes(accept)
  return negotiatedTypes.filter((type) => named.has(type)).join() || null
}

/**
 * Returns the secret of the service; `undefined` when there is none.
 *
 * @throws TypeError when no header can carry it as it is: each request would fail.
 */
export function checkServiceSecret(serviceSecret: string | undefined): string | undefined {
  if (!serviceSecret) return undefined
  if (
    typeof serviceSecret === 'string' &&
    /^[\x20-\x7e]+$/.test(serviceSecret) &&
    serviceSecret.trim() === serviceSecret
  ) {
    return serviceSecret
  }
  const expected = 'printable ASCII without white space at its ends'
  throw secretError('serviceSecret', expected, 'a malformed one', 'check for a line break at its end')
}

/** The fields of a client that the image proxy reads, in lower case. */
export const clientFields: readonly string[] = ['accept', 'if-none-match', 'if-modified-since']

/**
 * Returns the headers of a request to the image service: what the client accepts, its conditions, and the secret of the
 * service. No other header of the client, so neither its cookies nor its authorization.
 *
 * `Accept` is never the client's own text ({@link normalizeImageAccept}): imgproxy looks for the words in it, so that
 * `image/avif;q=0` would be answered with AVIF.
 *
 * `If-Modified-Since` is left out where there is an `If-None-Match`, which decides alone (RFC 9110, section 13.1.3):
 * imgproxy would take an original that was replaced by an older file for unchanged.
 *
 * @param client Headers of the client's request.
 * @param serviceSecret Sent as a bearer token.
 * @param ifNoneMatch Default: the client's own.
 */
export function createServiceHeaders(
  client: Headers,
  serviceSecret?: string,
  ifNoneMatch: string | null = client.get('If-None-Match'),
): Record<string, string> {
  const accept = normalizeImageAccept(client.get('Accept'))
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  const since = client.has('If-None-Match') ? null : client.get('If-Modified-Since')
  if (ifNoneMatch !== null) headers['If-None-Match'] = ifNoneMatch
  if (since !== null) headers['If-Modified-Since'] = since
  if (serviceSecret) headers.Authorization = `Bearer ${serviceSecret}`
  return headers
}
