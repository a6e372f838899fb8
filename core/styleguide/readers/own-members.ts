/** Returns an object's own property, never an inherited one such as `constructor`; `undefined` if a getter throws. */
export function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/** Returns an object's own entries, with `undefined` for a property whose getter throws. */
export function ownEntries(value: object): [key: string, value: unknown][] {
  return Object.keys(value).map((key) => [key, ownMember(value, key)])
}
