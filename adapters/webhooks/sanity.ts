import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64Url } from '../../core/crypto.js'
import { checkKnownOptions } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { listUtf8Keys, type TimedWebhookOptions, timedWebhookChecks } from './options.js'
import { createSignatureVerifier, readHeader } from './signature.js'

const header = 'sanity-webhook-signature'
// Milliseconds since 1970, then the unpadded base64url of 32 bytes.
const pattern = /^t=(\d{1,15})[, ]+v1=([\w-]{43})$/

/**
 * Creates a verifier for Sanity's GROQ-powered webhooks, to pass as `verify` to the revalidation endpoint:
 * `sanity-webhook-signature: t={milliseconds},v1={base64url(HMAC-SHA256(secret, t + '.' + body))}`
 * (https://www.sanity.io/docs/webhooks, https://github.com/sanity-io/webhook-toolkit). Sanity retries twice, 30 s
 * apart, which the default tolerance covers. A delivery that was answered with 200 is not accepted again. A projection,
 * such as `{_id, _type}`, keeps the payload under the endpoint's `maxBodyBytes`.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const verify = verifySanity({ secret: process.env.SANITY_WEBHOOK_SECRET! })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: cache.invalidate })
 */
export function verifySanity(options: TimedWebhookOptions): VerifyRequest {
  const { secret, tolerance } = checkKnownOptions(options, timedWebhookChecks, 'verifySanity({ secret })')
  return createSanityVerifier(listUtf8Keys(secret), tolerance)
}

/** Like {@link verifySanity}, but for keys of any length, because the keys in Sanity's own test vectors are short. */
export function createSanityVerifier(keys: readonly Uint8Array[], tolerance?: number): VerifyRequest {
  return createSignatureVerifier({
    hash: sha256,
    keys,
    encode: toBase64Url,
    tolerance,
    read(headers) {
      const [, timestamp = '', signature = ''] = readHeader(headers, header, pattern)
      return { signatures: [signature], head: `${timestamp}.`, signedAt: Number(timestamp) }
    },
    // Leaves out the separator between the two values of the header, because it is not signed.
    identify: ({ head, signatures }) => head + signatures,
  })
}
