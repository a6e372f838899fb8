import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { constantTimeEqual } from '../../core/constant-time.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { listSecrets, type WebhookOptions } from './options.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Creates the check of Prismic's webhooks, for `verify` of the revalidation endpoint. Prismic signs nothing: it sends
 * the secret itself in the JSON body, as `{"secret": "…", "type": "api-update", …}` (https://prismic.io/docs/webhooks).
 * It is compared by digest, with every secret and to the end. There is no time either, so no replay window; let the
 * endpoint be reached by HTTPS only.
 *
 * @throws TypeError when the secret is missing or empty.
 * @example
 * const verify = verifyPrismic({ secret: process.env.PRISMIC_WEBHOOK_SECRET! })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: pages.invalidate })
 */
export function verifyPrismic({ secret }: WebhookOptions): VerifyRequest {
  const digests = listSecrets(secret).map(digest)
  return (body) => {
    const payload = parseObject(body)
    if (!payload) return 'the body is no JSON object'
    if (typeof payload.secret !== 'string' || !payload.secret) return 'no secret in the body'
    const given = digest(payload.secret)
    let matches = 0
    for (const expected of digests) matches |= Number(constantTimeEqual(given, expected))
    return matches === 1 || 'wrong secret'
  }
}

function digest(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)))
}

function parseObject(body: Uint8Array): { secret?: unknown } | undefined {
  try {
    const json: unknown = JSON.parse(decoder.decode(body))
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined
  } catch {
    return undefined // no UTF-8, or no JSON
  }
}
