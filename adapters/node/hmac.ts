import { createHmac as createNodeHmac, createSecretKey } from 'node:crypto'

/** HMAC-SHA256 of `salt` followed by a message, as unpadded base64url; core's `createHmac` on Node's own OpenSSL. */
export function createHmac(key: Uint8Array, salt: Uint8Array): (message: string) => string {
  const secret = createSecretKey(key)
  return (message) => createNodeHmac('sha256', secret).update(salt).update(message).digest('base64url')
}
