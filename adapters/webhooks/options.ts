import { optionError, secretError } from '../../core/option-error.js'
import { type OptionChecks, unchecked } from '../../core/options.js'

export interface WebhookOptions {
  /** The webhook's secret in the CMS, of at least 16 bytes; or several during a rotation: each is accepted. */
  secret: string | readonly string[]
}

export interface TimedWebhookOptions extends WebhookOptions {
  /**
   * Maximum difference between the time of signing and now, in seconds, in the past and in the future. It limits how
   * long a recorded request can be replayed: within it, only on another process than the one that accepted it, since
   * each endpoint remembers the 10,000 latest deliveries in its own memory. Above 0, default 300.
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
 * @throws TypeError when the list is empty, or one is not a non-empty string: with an empty secret, everyone could sign.
 */
export function listSecrets(secret: WebhookOptions['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every((each) => typeof each === 'string' && each)) {
    return [...secrets]
  }
  throw secretError('secret', 'the secret of the webhook, or a list of secrets', 'a missing or empty one')
}

/**
 * Returns the bytes of a secret.
 *
 * @throws TypeError when they are fewer than 16: a short secret can be found by trial, with one recorded request.
 */
export function checkSecretBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= minSecretBytes) return bytes
  const hint = 'use the output of `openssl rand -hex 32`'
  throw secretError('secret', `at least ${minSecretBytes} bytes`, `${bytes.length}`, hint)
}

/**
 * Returns the HMAC keys for a CMS that uses its secrets in UTF-8 as keys.
 *
 * @throws TypeError when the list is empty, or one is shorter than 16 bytes.
 */
export function listUtf8Keys(secret: WebhookOptions['secret']): readonly Uint8Array[] {
  return listSecrets(secret).map((each) => checkSecretBytes(encoder.encode(each)))
}

/** Returns why a time of signing, in milliseconds since 1970, is rejected; `undefined` when it is within the tolerance. */
export type TimestampCheck = (signedAt: number) => string | undefined

/**
 * Creates the check for a replay window that extends into the past and into the future, both ends included.
 *
 * @example createTimestampCheck({ tolerance: 300 })(Date.now() - 301_000) // 'signed 301 s ago, over the tolerance of 300 s'
 */
export function createTimestampCheck({ tolerance = 300 }: { tolerance?: number | undefined }): TimestampCheck {
  return (signedAt) => {
    const age = (Date.now() - signedAt) / 1000
    // Written so that NaN is rejected, too.
    if (Math.abs(age) <= tolerance) return undefined
    const distance = age > 0 ? `${Math.ceil(age)} s ago` : `${Math.ceil(-age)} s in the future`
    return `signed ${distance}, over the tolerance of ${tolerance} s`
  }
}
