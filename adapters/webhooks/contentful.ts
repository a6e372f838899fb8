import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { optionError, secretError } from '../../core/option-error.js'
import { checkKnownOptions, checkString, type OptionChecks } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { createTimestampCheck, listSecrets, type TimedWebhookOptions, timedWebhookChecks } from './options.js'
import { createSignatureVerifier, readHeader } from './signature.js'

export interface ContentfulOptions extends TimedWebhookOptions {
  /**
   * Path of the webhook's URL as entered in Contentful, including the query, if any. Contentful signs this path. It
   * cannot be read from the request, because a proxy may have changed it. Default `'/api/revalidate'`.
   */
  path?: string | undefined
}

const signatureHeader = 'x-contentful-signature'
const timestampHeader = 'x-contentful-timestamp'
const signedHeadersHeader = 'x-contentful-signed-headers'
// Field names (RFC 9110, section 5.1), separated by commas.
const namesPattern = /^[\w!#$%&'*+.^`|~-]{1,100}(?:,[\w!#$%&'*+.^`|~-]{1,100})*$/
const nonAscii = /[^\0-\x7f]/
const encoder = new TextEncoder()

const checks: OptionChecks<ContentfulOptions> = { ...timedWebhookChecks, path: checkString }

/**
 * Creates a verifier for Contentful's signed webhooks, to pass as `verify` to the revalidation endpoint. The webhook
 * must use the method POST. Contentful sends
 * `x-contentful-signature: hex(HMAC-SHA256(secret, [method, path, headers, body].join('\n')))`. Here, `headers`
 * stands for the headers listed in `x-contentful-signed-headers`, each as `name:value`, joined by `;`. They include
 * `x-contentful-timestamp`, in milliseconds.
 *
 * See https://www.contentful.com/developers/docs/webhooks/request-verification/. The canonical form follows
 * `src/requests/sign-request.ts` in https://github.com/contentful/node-apps-toolkit.
 *
 * @throws TypeError that names the malformed option. A Contentful secret has 64 characters.
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
    const nameList = readHeader(headers, signedHeadersHeader, namesPattern)
    if (!nameList.match) return nameList.error
    const timestampError = checkTimestamp(Number(timestamp.match[0]))
    if (timestampError) return timestampError

    const signed = nameList.match[0].split(',')
    // Without this check, an unverified request could name one long header many times, in upper and lower case, and
    // the server would hash it each time.
    if (new Set(signed.map((name) => name.toLowerCase())).size < signed.length)
      return `${signedHeadersHeader} names a header twice`
    // If the timestamp were not signed, a recorded request could be replayed with a new timestamp.
    if (!signed.includes(timestampHeader)) return `${timestampHeader} is not signed`
    if (!signed.includes(signedHeadersHeader)) return `${signedHeadersHeader} is not signed`
    const missing = signed.find((name) => !headers.has(name))
    if (missing !== undefined) return `signed header ${JSON.stringify(missing)} is missing`
    const fields = signed.map((name) => `${name}:${headers.get(name)}`).join(';')
    const text = `${head}\n${fields}\n`
    const isValid = (bytes: Uint8Array) => isValidSignature([signature.match[0]], bytes, body)
    // UTF-8 in a header, such as the webhook's name, arrives as one character per byte (Fetch, "isomorphic decode").
    const isValidAsBytes = () => nonAscii.test(text) && isValid(Uint8Array.from(text, (char) => char.charCodeAt(0)))
    return isValid(encoder.encode(text)) || isValidAsBytes() || 'wrong signature'
  }
  return Object.assign(verify, { deliveryOf: (headers: Headers) => headers.get(signatureHeader) ?? '' })
}

function parseKeys(secret: ContentfulOptions['secret']): Uint8Array[] {
  return listSecrets(secret).map((signingSecret) => {
    // https://www.contentful.com/developers/docs/webhooks/secrets/
    if (/^[\w+/=-]{64}$/.test(signingSecret)) return encoder.encode(signingSecret)
    throw secretError('secret', 'a Contentful signing secret (64 letters, digits or +/=_-)', 'another value')
  })
}

function canonicalPath(path: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) {
    throw optionError('path', "a URL path, such as '/api/revalidate'", path)
  }
  // Same as Contentful's toolkit, which encodes the query twice and drops everything after a second question mark.
  const [pathname = '', query] = path.split('?')
  return encodeURI(query ? `${pathname}?${encodeURIComponent(query)}` : pathname)
}
