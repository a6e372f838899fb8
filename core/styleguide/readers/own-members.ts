/** What an object itself has under a key, never what it inherits, such as `constructor`; `undefined` if reading throws. */
export function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    return undefined
  }
}

/** Keys and values of what an object itself has, `undefined` for what cannot be read. */
export function ownEntries(value: object): [key: string, value: unknown][] {
  return Object.keys(value).map((key) => [key, ownMember(value, key)])
}
