import { findHeader, type HeaderLines } from '../../../http/headers.js'
import { parseVary } from '../../../http/vary.js'
import type { StoredVary } from '../../store/entry.js'
import { mergeVary, type VaryKey } from './vary-key.js'

/** Which requests a response fits (RFC 9111, section 4.1). */
export interface Variant {
  /** What it is stored under. */
  readonly key: string
  /** The record of its URL, when responses vary. */
  readonly vary: StoredVary | undefined
  fits(headers: Headers): boolean
}

/**
 * Returns the variant that the response to a request is.
 *
 * @param remembered What the URL varied by when a response was stored last, of which the store may have lost the record.
 */
export function selectVariant(
  { url, vary: known, request }: { url: string; vary: StoredVary | undefined; request: Pick<Request, 'headers'> },
  headers: HeaderLines,
  varyKey: VaryKey,
  remembered: readonly string[],
): Variant {
  const names = parseVary(findHeader(headers, 'vary') ?? null)
  const vary = mergeVary(known, [...(names === '*' ? [] : names), ...remembered])
  const key = vary ? varyKey(url, vary, request.headers) : url
  return { key, vary, fits: (headers) => !vary || varyKey(url, vary, headers) === key }
}
