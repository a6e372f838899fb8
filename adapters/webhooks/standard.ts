import { sha256 } from '@noble/hashes/sha2.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { listSecrets, type TimedWebhookOptions } from './options.js'
import { createReplayCheck } from './replay.js'
import { createSignatureCheck, readHeader } from './signature.js'

// The specification forbids a full stop in the id, which would let the id, the time and the body trade places.
const idPattern = /^[\x21-\x2b\x2d\x2f-\x7e]{1,256}$/
// `v1,{base64}` and, of other schemes, `v1a,{base64}`; any number of them, for a sender that changes its secret.
const signaturesPattern = /^\w+,[\w+/=-]+(?: \w+,[\w+/=-]+)*$/
const encoder = new TextEncoder()

/**
 * Creates the check of webhooks after the Standard Webhooks specification 1.0.0, for `verify` of the revalidation
 * endpoint: `webhook-signature: v1,{base64(HMAC-SHA256(secret, id + '.' + timestamp + '.' + body))}` besides
 * `webhook-id` and `webhook-timestamp` in seconds
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). The asymmetric `v1a` is
 * not looked at.
 *
 * @throws TypeError that names the option when one is malformed; a secret is base64, with or without `whsec_` before.
 * @example
 * const verify = verifyStandardWebhook({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: pages.invalidate })
 */
export function verifyStandardWebhook(options: TimedWebhookOptions): VerifyRequest {
  const keys = listSecrets(options.secret).map(parseKey)
  const isSigned = createSignatureCheck({ hash: sha256, keys, encode: toBase64 })
  const refuseReplay = createReplayCheck(options)

  return (body, headers) => {
    const id = readHeader(headers, 'webhook-id', idPattern)
    if (!id.match) return id.fault
    const timestamp = readHeader(headers, 'webhook-timestamp', /^\d{1,12}$/)
    if (!timestamp.match) return timestamp.fault
    const listed = readHeader(headers, 'webhook-signature', signaturesPattern)
    if (!listed.match) return listed.fault
    const replay = refuseReplay(Number(timestamp.match[0]) * 1000)
    if (replay) return replay

    const versioned = listed.match[0].split(' ')
    const signatures = versioned.filter((each) => each.startsWith('v1,')).map((each) => each.slice(3))
    if (signatures.length === 0) return 'no v1 signature'
    return isSigned(signatures, encoder.encode(`${id.match[0]}.${timestamp.match[0]}.`), body) || 'wrong signature'
  }
}

function parseKey(secret: string): Uint8Array {
  const base64 = secret.replace(/^whsec_/, '')
  // Neither atob's white space nor `whpk_`, the public key of the asymmetric scheme.
  if (/^[A-Za-z\d+/]{2,}={0,2}$/.test(base64)) {
    try {
      return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    } catch {} // a length that no base64 has
  }
  throw new TypeError("secret: expected base64, such as 'whsec_…' as the sender shows it")
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
