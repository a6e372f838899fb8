/** A place in a text, both counted from 1. */
interface Place {
  line: number
  column: number
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

// Strings as RFC 8259, section 7 has them.
const token =
  /[ \t\n\r]*(?:("[ !#-[\]-\u{10FFFF}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\u{10FFFF}]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy

/**
 * Where a text stops being JSON (RFC 8259). Engines differ in whether they tell it; this is for a text that
 * `JSON.parse` refused.
 *
 * @example locateJsonError('{\n  "a": 1,\n}') // { line: 3, column: 1 }
 */
export function locateJsonError(text: string): Place {
  const open: string[] = []
  let expected: Expected = 'value'
  let position = 0
  for (;;) {
    token.lastIndex = position
    const match = token.exec(text)
    const next: Expected | undefined | null = match && step(match, expected, open)
    if (!next) return placeAt(text, position)
    position = token.lastIndex
    expected = next
  }
}

/** What may follow a token; `undefined` when it may not come here. */
function step([, string, other, mark]: RegExpExecArray, expected: Expected, open: string[]): Expected | undefined {
  const afterValue = () => (open.length > 0 ? ', or end' : 'nothing')
  if (string && expected.startsWith('key')) return ':'
  if (mark === ':') return expected === ':' ? 'value' : undefined
  if (mark === ',') return expected === ', or end' ? (open.at(-1) === '{' ? 'key' : 'value') : undefined
  if (mark === '}' || mark === ']') {
    const mayEnd = expected === ', or end' || expected === (mark === '}' ? 'key or }' : 'value or ]')
    return mayEnd && open.pop() === (mark === '}' ? '{' : '[') ? afterValue() : undefined
  }
  if (!expected.startsWith('value')) return undefined
  if (string || other) return afterValue()
  open.push(mark as string)
  return mark === '{' ? 'key or }' : 'value or ]'
}

function placeAt(text: string, position: number): Place {
  const start = position + (/^[ \t\n\r]*/.exec(text.slice(position))?.[0].length ?? 0)
  const lines = text.slice(0, start).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
