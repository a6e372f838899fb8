import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { checkKnownOptions } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { listUtf8Keys, type WebhookOptions, webhookChecks } from './options.js'
import { createSignatureVerifier, readHeader } from './signature.js'

/**
 * Creates a verifier for Storyblok's webhooks, to pass as `verify` to the revalidation endpoint:
 * `webhook-signature: hex(HMAC-SHA1(secret, body))` (https://www.storyblok.com/docs/concepts/webhooks,
 * https://www.storyblok.com/tp/webhook-secret-with-different-technologies). HMAC-SHA1 is still unbroken, unlike SHA-1.
 *
 * Storyblok sends no timestamp, so there is no replay window: a recorded request can purge the same tags again. With
 * another `?path=`, it can also purge another path, because the query is not signed. Repeated deliveries are accepted,
 * because the next change to the same story has the same body, and therefore the same signature.
 *
 * @throws TypeError when the secret is missing or shorter than 16 bytes.
 * @example
 * const verify = verifyStoryblok({ secret: process.env.STORYBLOK_SECRET! })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: cache.invalidate })
 */
export function verifyStoryblok(options: WebhookOptions): VerifyRequest {
  const { secret } = checkKnownOptions(options, webhookChecks, 'verifyStoryblok({ secret })')
  return createSignatureVerifier({
    hash: sha1,
    keys: listUtf8Keys(secret),
    encode: bytesToHex,
    read: (headers) => ({ signatures: readHeader(headers, 'webhook-signature', /^[0-9a-f]{40}$/), head: '' }),
  })
}
