import { namedMediaTypes } from '../http/accept.js'

// What imgproxy chooses a format by (https://docs.imgproxy.net/configuration/options#format-selection), and the wildcard.
const forwardedTypes = ['image/avif', 'image/jxl', 'image/webp', '*/*']
const conditions = ['If-None-Match', 'If-Modified-Since']

/**
 * Returns the headers of a request to the image service: what the client accepts, its conditions, and the secret of the
 * service. No other header of the client, so neither its cookies nor its authorization.
 *
 * `Accept` is never the client's own text: imgproxy looks for the words in it, so that `image/avif;q=0` would be answered
 * with AVIF. It lists those of AVIF, JPEG XL, WebP and the wildcard that the client names with a quality above 0, in this
 * order (RFC 9110, section 12.5.1); with none of them there is no `Accept`. Response caches tell requests apart by the
 * same parser.
 *
 * @param client Headers of the client's request.
 * @param serviceSecret Sent as a bearer token.
 */
export function createServiceHeaders(client: Headers, serviceSecret?: string): Record<string, string> {
  const named = namedMediaTypes(client.get('Accept'))
  const accept = forwardedTypes.filter((type) => named.has(type)).join()
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  for (const name of conditions) {
    const value = client.get(name)
    if (value !== null) headers[name] = value
  }
  if (serviceSecret) headers.Authorization = `Bearer ${serviceSecret}`
  return headers
}
