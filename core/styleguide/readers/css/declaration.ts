// CSS Syntax 3, section 4.3.7: white space that ends the digits is part of the escape.
const escapes = /\\([\da-f]{1,6}[ \t\r\n\f]?|[^\n\da-f])/gisu
const declaration = /^((?:\\.|[^\\:])*):(.*)$/s
const unescaped = /^(?:[\w-]|[^\0-\x7f])*$/

/** Whether a text begins as the declaration of a custom property does. */
export function startsDeclaration(text: string): boolean {
  return unescapeName(declaration.exec(text)?.[1] ?? '') !== undefined
}

export function parseDeclaration(text: string, bangs: number): [name: string, value: string] | undefined {
  const [, written = '', rest = ''] = declaration.exec(text) ?? []
  const name = unescapeName(written)
  const value = bangs === 1 ? rest.trim().replace(/!\s*important$/i, '') : rest.trim()
  const isFlagged = bangs > 0 && value === rest.trim()
  return name === undefined || isFlagged ? undefined : [name, value.trim()]
}

/** Returns the unescaped name of a custom property; `undefined` for other names and for `--` alone. */
function unescapeName(written: string): string | undefined {
  const trimmed = written.trim()
  if (!unescaped.test(trimmed.replace(escapes, ''))) return undefined
  const name = trimmed.replace(escapes, decodeEscape)
  return name.startsWith('--') && name.length > 2 ? name : undefined
}

function decodeEscape(_: string, escaped: string): string {
  const code = /^[\da-f]/i.test(escaped) ? Number.parseInt(escaped, 16) : undefined
  if (code === undefined) return escaped
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)
}
