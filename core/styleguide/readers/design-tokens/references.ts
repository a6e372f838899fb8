import { ownMember } from '../own-members.js'

/** A JSON object. */
export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses a reference in curly brackets: `['color', 'red']` for `'{color.red}'`. */
export function parseReference(reference: unknown): string[] | undefined {
  const [, path] = typeof reference === 'string' ? (/^\{([^{}]+)\}$/.exec(reference.trim()) ?? []) : []
  return path?.split('.')
}

/** Parses a JSON Pointer into the same document (RFC 6901): `['color', 'red']` for `'#/color/red'`. */
export function parsePointer(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || !pointer.startsWith('#/')) return undefined
  try {
    const keys = decodeURIComponent(pointer.slice(2)).split('/')
    return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined // a malformed escape
  }
}

/** Returns the value that a JSON Pointer refers to, unresolved; `undefined` if there is none. */
export function memberAt(document: unknown, pointer: unknown): unknown {
  return parsePointer(pointer)?.reduce(ownMember, document)
}

// Longer than any real chain; ends a circular one.
const maxChainLength = 32

/** Returns a value, or the value that its `$ref` refers to; `undefined` if there is none. */
export function dereference(document: unknown, value: unknown): unknown {
  let current = value
  for (let step = 0; step < maxChainLength; step++) {
    if (!isJsonObject(current) || !Object.hasOwn(current, '$ref')) return current
    current = memberAt(document, current.$ref)
  }
  return undefined
}
