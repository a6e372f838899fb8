import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { optionError, secretError } from '../../core/option-error.js'
import { checkKnownOptions, checkString, type OptionChecks } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { createTimestampCheck, listSecrets, type TimedWebhookOptions, timedWebhookChecks } from './options.js'
import { createSignatureVerifier, readHeader } from './signature.js'

export interface ContentfulOptions extends TimedWebhookOptions {
  /**
   * Path of the URL in Contentful's settings, with its query if any. It is part of the signed text, and the server may
   * see another one behind a proxy. Default `'/api/revalidate'`.
   */
  path?: string | undefined
}

const signatureHeader = 'x-contentful-signature'
const timestampHeader = 'x-contentful-timestamp'
const signedHeadersHeader = 'x-contentful-signed-headers'
// Field names (RFC 9110, section 5.1), separated by commas.
const namesPattern = /^[\w!#$%&'*+.^`|~-]{1,100}(?:,[\w!#$%&'*+.^`|~-]{1,100})*$/
const encoder = new TextEncoder()

const checks: OptionChecks<ContentfulOptions> = { ...timedWebhookChecks, path: checkString }

/**
 * Creates a verifier for Contentful's signed webhooks with the method POST, for `verify` of the revalidation endpoint:
 * `x-contentful-signature: hex(HMAC-SHA256(secret, [method, path, headers, body].join('\n')))`. The headers are those in
 * `x-contentful-signed-headers`, as `name:value` joined by `;`, and include `x-contentful-timestamp` in milliseconds
 * (https://www.contentful.com/developers/docs/webhooks/request-verification/; the canonical form is that of
 * https://github.com/contentful/node-apps-toolkit, `src/requests/sign-request.ts`). Keep the payload under the endpoint's
 * 64 KB with a custom payload in the webhook's settings.
 *
 * @throws TypeError that names the option when one is malformed; Contentful's secrets have 64 characters.
 * @example
 * const verify = verifyContentful({ secret: process.env.CONTENTFUL_SECRET! })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: cache.invalidate })
 */
export function verifyContentful(options: ContentfulOptions): VerifyRequest {
  const isValidSignature = createSignatureVerifier({
    hash: sha256,
    keys: parseKeys(checkKnownOptions(options, checks, 'verifyContentful({ secret })').secret),
    encode: bytesToHex,
  })
  const checkTimestamp = createTimestampCheck(options)
  const head = `POST\n${canonicalPath(options.path ?? '/api/revalidate')}`

  const verify: VerifyRequest = (body, headers) => {
    const signature = readHeader(headers, signatureHeader, /^[0-9a-f]{64}$/)
    if (!signature.match) return signature.error
    const timestamp = readHeader(headers, timestampHeader, /^\d{1,15}$/)
    if (!timestamp.match) return timestamp.error
    const listed = readHeader(headers, signedHeadersHeader, namesPattern)
    if (!listed.match) return listed.error
    const timestampError = checkTimestamp(Number(timestamp.match[0]))
    if (timestampError) return timestampError

    const signed = listed.match[0].split(',')
    // Each name would repeat the value of its header, before anything is verified. Case has no meaning in a name.
    if (new Set(signed.map((name) => name.toLowerCase())).size < signed.length)
      return `${signedHeadersHeader} names a header twice`
    // Otherwise a recorded request could be sent again with another timestamp.
    if (!signed.includes(timestampHeader)) return `${timestampHeader} is not signed`
    if (!signed.includes(signedHeadersHeader)) return `${signedHeadersHeader} is not signed`
    const missing = signed.find((name) => !headers.has(name))
    if (missing !== undefined) return `signed header ${JSON.stringify(missing)} is missing`
    const lines = signed.map((name) => `${name}:${headers.get(name)}`).join(';')
    return isValidSignature([signature.match[0]], encoder.encode(`${head}\n${lines}\n`), body) || 'wrong signature'
  }
  return Object.assign(verify, { deliveryOf: (headers: Headers) => headers.get(signatureHeader) ?? '' })
}

function parseKeys(secret: ContentfulOptions['secret']): Uint8Array[] {
  return listSecrets(secret).map((each) => {
    // https://www.contentful.com/developers/docs/webhooks/secrets/
    if (/^[\w+/=-]{64}$/.test(each)) return encoder.encode(each)
    throw secretError('secret', 'a signing secret of Contentful (64 letters, digits or +/=_-)', 'another value')
  })
}

function canonicalPath(path: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) {
    throw optionError('path', "a path of a URL, such as '/api/revalidate'", path)
  }
  // Contentful's own toolkit encodes the query twice, and drops the rest after a second question mark.
  const [pathname = '', query] = path.split('?')
  return encodeURI(query ? `${pathname}?${encodeURIComponent(query)}` : pathname)
}
