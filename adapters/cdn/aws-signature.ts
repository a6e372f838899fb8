import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { sha256Hex } from '../../core/crypto.js'

/** Credentials of AWS, as the `@aws-sdk` packages return them. */
export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  /** Token of temporary credentials. */
  sessionToken?: string | undefined
}

/**
 * Returns the headers of a POST with XML, signed with AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). `Content-Length` is not
 * signed, because a proxy may send the body in chunks; the hash covers the body.
 *
 * @param url A URL without a query, whose path needs no encoding.
 * @param scope Region and service, such as `us-east-1/cloudfront`.
 */
export function signXmlPost(url: URL, body: string, credentials: AwsCredentials, scope: string, time: Date) {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const timestamp = time.toISOString().replace(/[-:]|\.\d+/g, '')
  const credentialScope = `${timestamp.slice(0, 8)}/${scope}/aws4_request`
  const bodyHash = sha256Hex(body)
  // The signature needs the names in alphabetical order.
  const signed: Record<string, string> = { 'content-type': 'application/xml', host: url.host }
  Object.assign(signed, { 'x-amz-content-sha256': bodyHash, 'x-amz-date': timestamp })
  if (sessionToken !== undefined) signed['x-amz-security-token'] = sessionToken
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const canonicalRequest = ['POST', url.pathname, '', lines.join(''), names, bodyHash].join('\n')
  const text = ['AWS4-HMAC-SHA256', timestamp, credentialScope, sha256Hex(canonicalRequest)].join('\n')
  const key = credentialScope.split('/').reduce(hmacSha256, utf8ToBytes(`AWS4${secretAccessKey}`))
  const credential = `Credential=${accessKeyId}/${credentialScope}`
  const signature = `Signature=${bytesToHex(hmacSha256(key, text))}`
  return { ...signed, authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, ${signature}` }
}

const hmacSha256 = (key: Uint8Array, text: string): Uint8Array => hmac(sha256, key, utf8ToBytes(text))
