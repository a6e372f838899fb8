/** A position in a text. Both numbers start at 1. */
export interface SourceLocation {
  line: number
  column: number
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

// Strings as defined in RFC 8259, section 7.
const token =
  /[ \t\n\r]*(?:("[ !#-[\]-\u{10FFFF}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\u{10FFFF}]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy

/**
 * Returns where a text stops being valid JSON (RFC 8259), for a text that `JSON.parse` rejected: not all engines report
 * the position.
 *
 * @example locateJsonError('{\n  "a": 1,\n}') // { line: 3, column: 1 }
 */
export function locateJsonError(text: string): SourceLocation {
  const open: string[] = []
  let expected: Expected = 'value'
  let position = 0
  for (;;) {
    token.lastIndex = position
    const match = token.exec(text)
    const next: Expected | undefined | null = match && expectedAfter(match, expected, open)
    if (!next) return locationAt(text, position)
    position = token.lastIndex
    expected = next
  }
}

/** Returns the tokens that may follow a token; `undefined` if the token is not allowed here. */
function expectedAfter(
  [, string, literal, mark]: RegExpExecArray,
  expected: Expected,
  open: string[],
): Expected | undefined {
  const afterValue = () => (open.length > 0 ? ', or end' : 'nothing')
  if (string && expected.startsWith('key')) return ':'
  if (mark === ':') return expected === ':' ? 'value' : undefined
  if (mark === ',') return expected === ', or end' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined
  if (mark === '}' || mark === ']') {
    const mayEnd = expected === ', or end' || expected === (mark === '}' ? 'key or }' : 'value or ]')
    return mayEnd && open.pop() === (mark === '}' ? '{' : '[') ? afterValue() : undefined
  }
  if (!expected.startsWith('value')) return undefined
  if (string || literal) return afterValue()
  open.push(mark as string)
  return mark === '{' ? 'key or }' : 'value or ]'
}

function locationAt(text: string, position: number): SourceLocation {
  const start = position + (/^[ \t\n\r]*/.exec(text.slice(position))?.[0].length ?? 0)
  const lines = text.slice(0, start).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
