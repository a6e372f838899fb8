import { createBearerCheck, type Secret } from './bearer.js'
import { readBody } from './body.js'
import type { Refusal } from './refusals.js'

/**
 * Tells whether a request is genuine, by its raw body and its headers. `true` and nothing else says so; `false`, a text
 * (the reason, for the log) or an error refuses the request.
 */
export type VerifyRequest = (
  body: Uint8Array<ArrayBuffer>,
  headers: Headers,
) => boolean | string | Promise<boolean | string>

/**
 * Whether a request is genuine: `true` or why not, and its body if that was read to find out. A `refusal` when the body
 * could not be read.
 */
export type Authorization =
  | { verdict: true | string; body?: Uint8Array<ArrayBuffer>; refusal?: never }
  | { refusal: Refusal; verdict?: never; body?: never }

export type Authorize = (request: Request) => Promise<Authorization>

/**
 * Creates the check of a request: by `verify` when there is one, by a bearer token otherwise. `undefined`: nothing is
 * configured, and nothing can be right.
 *
 * @throws TypeError when both are given, or a secret is malformed.
 */
export function createAuthorize(options: {
  secret?: Secret
  verify?: VerifyRequest | undefined
}): Authorize | undefined {
  const { secret, verify } = options
  const check = createBearerCheck(secret)
  if (!verify) return check && (async ({ headers }) => ({ verdict: check(headers.get('Authorization')) }))
  if (check) throw new TypeError('secret, verify: leave out one; verify takes the place of the bearer token')

  return async (request) => {
    const { bytes, refusal } = await readBody(request)
    if (refusal) return { refusal }
    return { body: bytes, verdict: await ask(verify, bytes, request.headers) }
  }
}

async function ask(verify: VerifyRequest, body: Uint8Array<ArrayBuffer>, headers: Headers): Promise<true | string> {
  try {
    const answer = await verify(body, headers)
    if (answer === true) return true
    return typeof answer === 'string' && answer ? answer : 'wrong signature'
  } catch (error) {
    // Libraries that check signatures throw at a wrong one.
    return error instanceof Error ? error.message : String(error)
  }
}
