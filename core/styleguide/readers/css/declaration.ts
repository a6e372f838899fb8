const escapeSequence = /\\([\da-f]{6}\s?|[\da-f]{1,5}(?![\da-f])\s?|[^\n\da-f])/isu
const escapes = new RegExp(escapeSequence, 'gisu')
const declaration = new RegExp(`^\\s*((?:${escapeSequence.source}|[\\w-]|\\P{ASCII})+)\\s*:(.*)$`, 'isu')

/** Whether a text begins as the declaration of a custom property does. */
export function startsDeclaration(text: string): boolean {
  return unescapeName(declaration.exec(text)?.[1] ?? '') !== undefined
}

export function parseDeclaration(text: string, bangs: number): [name: string, value: string] | undefined {
  const [, written = '', , rest = ''] = declaration.exec(text) ?? []
  const name = unescapeName(written)
  const value = bangs === 1 ? rest.trim().replace(/!\s*important$/i, '') : rest.trim()
  const isFlagged = bangs > 0 && value === rest.trim()
  return name === undefined || isFlagged ? undefined : [name, value.trim()]
}

/** Returns the unescaped name of a custom property; `undefined` for other names and for `--` alone. */
function unescapeName(written: string): string | undefined {
  const name = written.replace(escapes, decodeEscape)
  return name.startsWith('--') && name.length > 2 ? name : undefined
}

function decodeEscape(_: string, escaped: string): string {
  const code = /^[\da-f]/i.test(escaped) ? Number.parseInt(escaped, 16) : undefined
  if (code === undefined) return escaped
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)
}
