import { namedMediaTypes } from '../http/accept.js'
import { secretError } from '../option-error.js'

/**
 * The image types that the image proxy tells the service of when a client names them: what imgproxy chooses a format by
 * (https://docs.imgproxy.net/configuration/options#format-selection). For the option `imageFormats` of a response cache in
 * front of the proxy: otherwise each further type that a client names is another image, rendered and stored.
 *
 * @example createResponseCache({ store, imageFormats }).wrap(createImageProxy(options))
 */
export const imageFormats: readonly string[] = ['image/avif', 'image/jxl', 'image/webp']

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

const forwardedTypes = [...imageFormats, '*/*']

/**
 * Returns the headers of a request to the image service: what the client accepts, its conditions, and the secret of the
 * service. No other header of the client, so neither its cookies nor its authorization.
 *
 * `Accept` is never the client's own text: imgproxy looks for the words in it, so that `image/avif;q=0` would be answered
 * with AVIF. It lists those of AVIF, JPEG XL, WebP and the wildcard that the client names with a quality above 0, in this
 * order (RFC 9110, section 12.5.1); with none of them there is no `Accept`. Response caches tell requests apart by the
 * same parser.
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
  const named = namedMediaTypes(client.get('Accept'))
  const accept = forwardedTypes.filter((type) => named.has(type)).join()
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  const since = client.has('If-None-Match') ? null : client.get('If-Modified-Since')
  if (ifNoneMatch !== null) headers['If-None-Match'] = ifNoneMatch
  if (since !== null) headers['If-Modified-Since'] = since
  if (serviceSecret) headers.Authorization = `Bearer ${serviceSecret}`
  return headers
}
