import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'
import { listSecrets, type TimedWebhookOptions } from './options.js'
import { createReplayCheck } from './replay.js'
import { createSignatureCheck, readHeader } from './signature.js'

export interface ContentfulOptions extends TimedWebhookOptions {
  /**
   * Path of the URL in Contentful's settings, with its query if it has any: it is part of what is signed, and behind
   * a proxy the server may see another one. Default `'/api/revalidate'`.
   */
  path?: string | undefined
  /** The method in Contentful's settings. Default `'POST'`. */
  method?: string | undefined
}

const signatureHeader = 'x-contentful-signature'
const timestampHeader = 'x-contentful-timestamp'
const signedHeadersHeader = 'x-contentful-signed-headers'
// Lower case names of headers (RFC 9110, section 5.1).
const names = /^[\w!#$%&'*+.^`|~-]{1,100}(?:,[\w!#$%&'*+.^`|~-]{1,100})*$/
const encoder = new TextEncoder()

/**
 * Creates the check of Contentful's signed webhooks, for `verify` of the revalidation endpoint:
 * `x-contentful-signature: hex(HMAC-SHA256(secret, [method, path, headers, body].join('\n')))`, the headers being those
 * that `x-contentful-signed-headers` lists, as `name:value` joined by `;`, and among them `x-contentful-timestamp` in
 * milliseconds (https://www.contentful.com/developers/docs/webhooks/request-verification/; the canonical form is that
 * of https://github.com/contentful/node-apps-toolkit, `src/requests/sign-request.ts`). Keep the payload under the
 * endpoint's 64 KB with a custom payload in the settings of the webhook.
 *
 * @throws TypeError that names the option when one is malformed; Contentful's secrets have 64 characters.
 * @example
 * const verify = verifyContentful({ secret: process.env.CONTENTFUL_SECRET! })
 * const revalidate = createRevalidateEndpoint({ verify, invalidate: pages.invalidate })
 */
export function verifyContentful(options: ContentfulOptions): VerifyRequest {
  const isSigned = createSignatureCheck({ hash: sha256, keys: parseKeys(options.secret), encode: bytesToHex })
  const refuseReplay = createReplayCheck(options)
  const head = `${parseMethod(options.method ?? 'POST')}\n${canonicalPath(options.path ?? '/api/revalidate')}`

  return (body, headers) => {
    const signature = readHeader(headers, signatureHeader, /^[0-9a-f]{64}$/)
    if (!signature.match) return signature.fault
    const timestamp = readHeader(headers, timestampHeader, /^\d{1,15}$/)
    if (!timestamp.match) return timestamp.fault
    const listed = readHeader(headers, signedHeadersHeader, names)
    if (!listed.match) return listed.fault
    const replay = refuseReplay(Number(timestamp.match[0]))
    if (replay) return replay

    const signed = listed.match[0].split(',')
    // Unsigned, the timestamp could be anybody's.
    if (!signed.includes(timestampHeader)) return `${timestampHeader} is not signed`
    if (!signed.includes(signedHeadersHeader)) return `${signedHeadersHeader} is not signed`
    const missing = signed.find((name) => !headers.has(name))
    if (missing !== undefined) return `no ${missing} header, although it is signed`
    const lines = signed.map((name) => `${name}:${headers.get(name)}`).join(';')
    return isSigned([signature.match[0]], encoder.encode(`${head}\n${lines}\n`), body) || 'wrong signature'
  }
}

function parseKeys(secret: ContentfulOptions['secret']): Uint8Array[] {
  return listSecrets(secret).map((each) => {
    // https://www.contentful.com/developers/docs/webhooks/secrets/
    if (/^[\w+/=-]{64}$/.test(each)) return encoder.encode(each)
    throw new TypeError('secret: no signing secret of Contentful; those have 64 letters, digits or +/=_-')
  })
}

function parseMethod(method: string): string {
  if (/^[A-Z]+$/.test(method)) return method
  throw new TypeError(`method: '${method}' is no method; write one such as 'POST'`)
}

function canonicalPath(path: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) {
    throw new TypeError(`path: '${path}' is no path of a URL; write one such as '/api/revalidate'`)
  }
  // Twice encoded, as Contentful's own toolkit does it; what follows a second question mark it leaves out.
  const [pathname = '', query] = path.split('?')
  return encodeURI(query ? `${pathname}?${encodeURIComponent(query)}` : pathname)
}
