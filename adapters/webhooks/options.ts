export interface WebhookOptions {
  /**
   * The secret that the CMS was given for its webhooks, or several while one takes the place of another: each is right.
   */
  secret: string | readonly string[]
}

export interface TimedWebhookOptions extends WebhookOptions {
  /**
   * How far the time of signing may lie from this clock, in seconds, in the past as in the future: a request that
   * somebody recorded is of no use later. Default 300.
   */
  tolerance?: number | undefined
  /** This clock, in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined
}

const encoder = new TextEncoder()

/**
 * Lists the secrets.
 *
 * @throws TypeError when there is none, or one is empty or no text: whoever signs with nothing would be let in.
 */
export function listSecrets(secret: WebhookOptions['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every((each) => typeof each === 'string' && each)) {
    return [...secrets]
  }
  // The secrets themselves are not named: errors end up in logs.
  throw new TypeError(
    'secret: missing or empty; write the secret of the webhook, or a list of them, none of them empty',
  )
}

/** The HMAC keys of a CMS that takes the text of a secret as its key. */
export function listTextKeys(secret: WebhookOptions['secret']): readonly Uint8Array[] {
  return listSecrets(secret).map((each) => encoder.encode(each))
}
