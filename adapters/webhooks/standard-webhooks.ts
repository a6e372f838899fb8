import { sha256 } from '@noble/hashes/sha2.js'
import { secretError } from '../../core/option-error.js'
import { checkKnownOptions } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { checkSecretBytes, listSecrets, type TimedWebhookOptions, timedWebhookChecks } from './options.js'
import { createSignatureVerifier, Rejection, readHeader } from './signature.js'

// No full stop, because it separates id, timestamp and body in the signed text.
const idPattern = /^[\x21-\x2b\x2d\x2f-\x7e]{1,256}$/
// Signatures separated by spaces: `v1,{base64}`, or `v1a,{base64}` for the asymmetric scheme. During a rotation, the
// sender signs with several secrets.
const signaturesPattern = /^\w+,[\w+/=-]+(?: \w+,[\w+/=-]+)*$/
const base64Pattern = /^(?=.)(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?$/

/**
 * Creates a verifier for the Standard Webhooks specification 1.0.0, to pass as `verify` to the revalidation endpoint:
 * `webhook-signature: v1,{base64(HMAC-SHA256(secret, id + '.' + timestamp + '.' + body))}`, with `webhook-id` and
 * `webhook-timestamp` in seconds
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). Svix, which many
 * senders use, calls the same headers `svix-id`, `svix-timestamp` and `svix-signature`
 * (https://docs.svix.com/receiving/verifying-payloads/how-manual).
 * Asymmetric `v1a` signatures are ignored.
 *
 * @throws TypeError that names the malformed option. A secret is base64, with or without the prefix `whsec_`.
 * @example
 * const verify = verifyStandardWebhook({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: cache.invalidate })
 */
export function verifyStandardWebhook(options: TimedWebhookOptions): VerifyRequest {
  const call = 'verifyStandardWebhook({ secret })'
  const { secret, tolerance } = checkKnownOptions(options, timedWebhookChecks, call)
  return createSignatureVerifier({
    hash: sha256,
    keys: listSecrets(secret).map(parseKey),
    encode: (mac) => btoa(String.fromCharCode(...mac)),
    tolerance,
    read(headers) {
      const prefix = prefixOf(headers)
      const [id] = readHeader(headers, `${prefix}-id`, idPattern)
      const [timestamp] = readHeader(headers, `${prefix}-timestamp`, /^\d{1,12}$/)
      const [list] = readHeader(headers, `${prefix}-signature`, signaturesPattern)
      const signatures = list.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? entry.slice(3) : []))
      if (signatures.length === 0) throw new Rejection('no v1 signature')
      return { signatures, head: `${id}.${timestamp}.`, signedAt: Number(timestamp) * 1000 }
    },
    // A replay can change neither id nor timestamp, because both are signed. A retry by the sender has another timestamp.
    identify: ({ head }) => head,
  })
}

/**
 * Returns the prefix of the three headers. All three are read with the same prefix, because an id with the other prefix
 * is not signed.
 */
function prefixOf(headers: Headers): 'svix' | 'webhook' {
  return headers.has('svix-id') && !headers.has('webhook-id') ? 'svix' : 'webhook'
}

function parseKey(secret: string): Uint8Array {
  const base64 = secret.replace(/^whsec_/, '')
  // Stricter than atob: no white space, and no `whpk_`, the prefix of public keys in the asymmetric scheme.
  if (base64Pattern.test(base64)) return checkSecretBytes(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  throw secretError('secret', "base64, such as 'whsec_…'", 'another value', 'copy it as the sender shows it')
}
