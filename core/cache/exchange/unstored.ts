import { warnOnce } from '../../development.js'
import type { StorageRefusal } from './policy.js'

/** Why a page is never stored: beside what `planStorage` says, its handler confirms nothing, or its body is too large. */
export type UnstoredReason = StorageRefusal | 'no lifetime and no 304' | 'body'

/** A response that is not stored. */
export interface Unstored {
  url: string
  refusal: UnstoredReason | undefined
  status: number
  headers: Headers
}

const maxUrlLength = 200
const lifetimeFields = ['cache-control', 'expires']

/**
 * Creates the function that warns in development, once for each reason, of a page that is never stored although nothing says
 * that it should not be: it is rendered for each request. `private`, `no-store` and a lifetime of 0 are taken as meant.
 *
 * @param targets Targeted fields that the cache obeys.
 * @param maxBodyBytes Largest body that is stored.
 */
export function createUnstoredWarning(targets: readonly string[], maxBodyBytes: number): (page: Unstored) => void {
  const warnings = new Map(Object.keys(explanations).map((refusal) => [refusal, warnOnce()]))
  const fields = [...targets, ...lifetimeFields]
  return ({ url, refusal, status, headers }) => {
    const warn = refusal && warnings.get(refusal)
    if (!warn || status !== 200) return
    if (refusal.startsWith('no lifetime') && fields.some((name) => headers.has(name))) return
    warn(() => {
      const page = url.length > maxUrlLength ? `${url.slice(0, maxUrlLength)}…` : url
      return `Response cache: ${page} is never stored. ${explanations[refusal]?.(headers, maxBodyBytes)}`
    })
  }
}

// The others are as meant. Values of cookies are not for a log.
const explanations: Partial<Record<UnstoredReason, (headers: Headers, maxBodyBytes: number) => string>> = {
  'no lifetime and no validator': () =>
    "Cache-Control: expected a lifetime, such as 's-maxage=60', or 'no-store', got none",
  'no lifetime and no 304': () =>
    "Cache-Control: expected a lifetime, such as 's-maxage=60', or 'no-store', got none; its validator is of no use, since the handler answers If-None-Match and If-Modified-Since by the whole page",
  'Set-Cookie': (headers) =>
    `Set-Cookie: expected none in a page for everyone, got '${nameOfCookie(headers)}'; set it in another response, or send 'Cache-Control: private'`,
  'Vary: *': () => "Vary: expected names of request fields, such as 'Accept-Language', got '*'",
  Authorization: () =>
    "Cache-Control: expected 'public' or 's-maxage' in a page for everyone who has an Authorization, or 'private', got neither",
  'a header that cannot be sent': () => 'headers: expected values without control characters, got one with them',
  body: (_, maxBodyBytes) =>
    `maxBodyBytes: expected room for the body, got ${maxBodyBytes}; raise it, or send 'no-store'`,
}

function nameOfCookie(headers: Headers): string {
  return headers.get('set-cookie')?.split('=', 1)[0]?.slice(0, 100) ?? ''
}
