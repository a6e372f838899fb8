import { formatKind, optionError, secretError } from '../../core/option-error.js'
import { type OptionChecks, unchecked } from '../../core/options.js'

export interface WebhookOptions {
  /**
   * The secret that the CMS uses for the webhook, at least 16 bytes long. During a rotation, pass a list: each secret
   * in it is accepted.
   */
  secret: string | readonly string[]
}

export interface TimedWebhookOptions extends WebhookOptions {
  /**
   * Maximum difference between the signing time and now, in seconds, in either direction. It limits how long a
   * recorded request can be replayed. Within that time, an endpoint rejects a replay of its latest 10,000 deliveries.
   * An endpoint in another process accepts the replay, because each endpoint has its own memory. Above 0. Default 300.
   */
  tolerance?: number | undefined
}

export const webhookChecks: OptionChecks<WebhookOptions> = { secret: unchecked }
export const timedWebhookChecks: OptionChecks<TimedWebhookOptions> = {
  ...webhookChecks,
  tolerance: checkTolerance,
}

function checkTolerance(option: string, value: unknown): number {
  if (Number.isFinite(value) && (value as number) > 0) return value as number
  throw optionError(option, 'seconds > 0, such as 300', value)
}

const encoder = new TextEncoder()
const minSecretBytes = 16

/**
 * Returns the secrets as a list.
 *
 * @throws TypeError when the list is empty, or a secret is empty or not a string: with an empty secret, anyone could
 *   sign.
 */
export function listSecrets(secret: WebhookOptions['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every((item) => typeof item === 'string' && item)) {
    return [...secrets]
  }
  const got = secret instanceof Promise ? formatKind(secret) : 'a missing or empty value'
  throw secretError('secret', 'the secret of the webhook, or a list of secrets', got)
}

/**
 * Returns the bytes of a secret unchanged.
 *
 * @throws TypeError when there are fewer than 16 bytes, because a short secret can be guessed: one recorded request is
 *   enough to test every guess.
 */
export function checkSecretBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= minSecretBytes) return bytes
  const hint = 'use the output of `openssl rand -hex 32`'
  throw secretError('secret', `at least ${minSecretBytes} bytes`, `${bytes.length}`, hint)
}

/**
 * Returns the HMAC keys for a CMS that uses the UTF-8 bytes of a secret as the key.
 *
 * @throws TypeError when the list is empty or a secret is shorter than 16 bytes.
 */
export function listUtf8Keys(secret: WebhookOptions['secret']): readonly Uint8Array[] {
  return listSecrets(secret).map((each) => checkSecretBytes(encoder.encode(each)))
}
