import { ownMember } from '../own-members.js'

/** A JSON object. */
export type Json = Record<string, unknown>

export function isJsonObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The path that a reference in curly brackets names: `['color', 'red']` of `'{color.red}'`. */
export function parseReference(reference: unknown): string[] | undefined {
  const [, path] = typeof reference === 'string' ? (/^\{([^{}]+)\}$/.exec(reference.trim()) ?? []) : []
  return path?.split('.')
}

/** The keys of a JSON Pointer into the same document (RFC 6901): `['color', 'red']` of `'#/color/red'`. */
export function parsePointer(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || !pointer.startsWith('#/')) return undefined
  try {
    const keys = decodeURIComponent(pointer.slice(2)).split('/')
    return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined // a malformed escape
  }
}

/** What a JSON Pointer refers to, as it is written there; `undefined` when that is nothing. */
export function memberAt(document: unknown, pointer: unknown): unknown {
  return parsePointer(pointer)?.reduce(ownMember, document)
}

// Longer than any chain that somebody wrote; it ends a circular one.
const maxChainLength = 32

/** A value, or what its `$ref` refers to; `undefined` when that is nothing. */
export function dereference(document: unknown, value: unknown): unknown {
  let current = value
  for (let step = 0; step < maxChainLength; step++) {
    if (!isJsonObject(current) || !Object.hasOwn(current, '$ref')) return current
    current = memberAt(document, current.$ref)
  }
  return undefined
}
