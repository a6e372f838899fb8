import { sha256Hex } from '../../../crypto.js'
import type { StoredVary } from '../../store/entry.js'
import type { SelectingFields } from './selecting-fields.js'

/**
 * Returns the record of a URL after a response that varies. It only ever gains fields, so that the pages of a handler that
 * sends `Vary` only sometimes are not mixed up. Returns the same object when nothing changes; a new one has no `ttl` yet.
 */
export function mergeVary(known: StoredVary | undefined, names: readonly string[]): StoredVary | undefined {
  if (!known && names.length === 0) return undefined
  if (known && names.every((name) => known.names.includes(name))) return known
  const merged = [...new Set([...(known?.names ?? []), ...names])].sort()
  return { kind: 'vary', generation: crypto.randomUUID(), names: merged, ttl: 0 }
}

/** Returns the key of the response that a request selects. */
export type VaryKey = (key: string, vary: StoredVary, headers: Pick<Headers, 'get'>) => string

const maxSelectionLength = 256

/** Creates the function that builds keys from the selecting fields (RFC 9111, section 4.1). */
export function createVaryKey({ read }: Pick<SelectingFields, 'read'>): VaryKey {
  return (key, { generation, names }, headers) => {
    const text = JSON.stringify(names.map((name) => read(name, headers)))
    // Hashed, so that a large Cookie does not become a large key.
    return `${key}#${generation}#${text.length > maxSelectionLength ? sha256Hex(text) : text}`
  }
}
