import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { optionError, secretError } from '../../core/option-error.js'
import { checkKnownOptions, checkString, type OptionChecks } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { listSecrets, type TimedWebhookOptions, timedWebhookChecks } from './options.js'
import { createSignatureVerifier, Rejection, readHeader } from './signature.js'

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
  const call = 'verifyContentful({ secret })'
  const { secret, tolerance, path = '/api/revalidate' } = checkKnownOptions(options, checks, call)
  const start = `POST\n${canonicalPath(path)}`
  return createSignatureVerifier({
    hash: sha256,
    keys: parseKeys(secret),
    encode: bytesToHex,
    tolerance,
    read(headers) {
      const [signature] = readHeader(headers, signatureHeader, /^[0-9a-f]{64}$/)
      const [timestamp] = readHeader(headers, timestampHeader, /^\d{1,15}$/)
      const [nameList] = readHeader(headers, signedHeadersHeader, namesPattern)
      const fields = readSigned(headers, nameList.split(','))
      return { signatures: [signature], head: `${start}\n${fields}\n`, signedAt: Number(timestamp) }
    },
    identify: ({ signatures }) => signatures.join(),
  })
}

/** Returns the signed headers as Contentful writes them in the signed text. */
function readSigned(headers: Headers, names: readonly string[]): string {
  // An unverified request could name one long header many times, in upper and lower case, and the server would hash it
  // each time.
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw new Rejection(`${signedHeadersHeader} names a header twice`)
  // If the timestamp were not signed, a recorded request could be replayed with a new timestamp.
  const unsigned = [timestampHeader, signedHeadersHeader].find((name) => !names.includes(name))
  if (unsigned) throw new Rejection(`${unsigned} is not signed`)
  const missing = names.find((name) => !headers.has(name))
  if (missing !== undefined) throw new Rejection(`signed header ${JSON.stringify(missing)} is missing`)
  return names.map((name) => `${name}:${headers.get(name)}`).join(';')
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
