import { normalizedFields, normalizeField } from '../../../http/normalize-field.js'
import type { ResponseCacheOptions } from '../../options.js'

/** The request fields that select a response, with the values that handlers receive and keys are built of. */
export interface SelectingFields {
  /** Returns the value of a field; `null` when there is none. */
  read(name: string, headers: Pick<Headers, 'get'>): string | null
  /**
   * Gives fields these values: parsers disagree about optional white space and the spelling of weights, and what one of them
   * makes of a visitor's spelling would be for all who have the same key.
   */
  normalize(headers: Headers): void
}

/**
 * Creates the functions that read the selecting fields.
 *
 * @param normalizers By names in lower case. What they return is normalized by {@link normalizeField}, as all other fields are.
 */
export function createSelectingFields(
  normalizers: NonNullable<ResponseCacheOptions['normalizeFields']> = {},
): SelectingFields {
  const read: SelectingFields['read'] = (name, headers) => {
    const received = headers.get(name)
    const value = Object.hasOwn(normalizers, name) ? (normalizers[name]?.(received) ?? null) : received
    return value === null ? null : normalizeField(name, value)
  }
  const names = new Set([...normalizedFields, ...Object.keys(normalizers)])
  return {
    read,
    normalize(headers) {
      for (const name of names) {
        const value = read(name, headers)
        if (value === null) headers.delete(name)
        else headers.set(name, value)
      }
    },
  }
}
