/**
 * Splits a text at each separator that is outside of parentheses, brackets and quotes.
 *
 * @example splitTopLevel('rgb(1, 2, 3), red', ',') // ['rgb(1, 2, 3)', ' red']
 */
export function splitTopLevel(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '\\') index++
    else if (quote) quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '(' || character === '[') depth++
    else if (character === ')' || character === ']') depth--
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Returns the index of the `)` that closes the parenthesis opened before `start`, or -1. */
export function closingParenthesis(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    if (text[index] === '(') depth++
    else if (text[index] === ')' && depth-- === 0) return index
  }
  return -1
}

/**
 * Returns the lower-case name and the arguments of a value that is a single function call; `undefined` for any other value.
 *
 * @example parseFunction('RGB(1 2 3)') // { name: 'rgb', inner: '1 2 3' }
 */
export function parseFunction(value: string): { name: string; inner: string } | undefined {
  const name = /^-{0,2}[a-z][a-z-]*(?=\()/i.exec(value)?.[0]
  if (name === undefined) return undefined
  const start = name.length + 1
  return closingParenthesis(value, start) === value.length - 1
    ? { name: name.toLowerCase(), inner: value.slice(start, -1) }
    : undefined
}
