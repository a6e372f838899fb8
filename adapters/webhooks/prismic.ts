import { parseJson } from '../../core/http/body.js'
import { checkKnownOptions } from '../../core/options.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { createRedact, createSecretMatcher } from '../../core/secrets.js'
import { isObject } from './content-source.js'
import { listSecrets, listUtf8Keys, type WebhookOptions, webhookChecks } from './options.js'

/**
 * Creates a verifier for Prismic's webhooks, to pass as `verify` to the revalidation endpoint. Prismic does not sign its
 * requests. It sends the secret itself in the JSON body, as `{"secret": "…", "type": "api-update", …}`
 * (https://prismic.io/docs/webhooks). The secret is compared with every configured secret in constant time. There is no
 * timestamp, and therefore no replay window. Serve the endpoint over HTTPS only.
 *
 * @throws TypeError when the secret is missing or shorter than 16 bytes.
 * @example
 * const verify = verifyPrismic({ secret: process.env.PRISMIC_WEBHOOK_SECRET! })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: cache.invalidate })
 */
export function verifyPrismic(options: WebhookOptions): VerifyRequest {
  const { secret } = checkKnownOptions(options, webhookChecks, 'verifyPrismic({ secret })')
  listUtf8Keys(secret) // throws if a secret is too short
  const secrets = listSecrets(secret)
  const isSecret = createSecretMatcher(secrets)
  const verify: VerifyRequest = (body) => {
    const payload = parseJson(body)
    if (!isObject(payload) || Array.isArray(payload)) return 'body is not a JSON object'
    if (typeof payload.secret !== 'string' || !payload.secret) return 'no secret in the body'
    return isSecret(payload.secret) || 'wrong secret'
  }
  // Tags that the site derives from the payload may contain the secret.
  verify.redact = createRedact(secrets)
  return verify
}
