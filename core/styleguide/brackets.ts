/**
 * Returns the index of a character outside parentheses, brackets and quotes, at `start` or after it; -1 if there is none.
 * If the character is `)`, the result is the end of a parenthesis that was opened before `start`.
 */
export function indexOutside(text: string, character: string, start: number): number {
  let depth = 0
  let quote = ''
  for (let index = start; index < text.length; index++) {
    const current = text.charAt(index)
    if (current === '\\') index++
    else if (quote) quote = current === quote ? '' : quote
    else if (current === character && depth === 0) return index
    else if (current === '"' || current === "'") quote = current
    else if (current === '(' || current === '[') depth++
    else if (current === ')' || current === ']') depth--
  }
  return -1
}

/**
 * Splits a text at each separator outside parentheses, brackets and quotes.
 *
 * @example splitTopLevel('rgb(1, 2, 3), red', ',') // ['rgb(1, 2, 3)', ' red']
 */
export function splitTopLevel(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let end = indexOutside(text, separator, 0); end >= 0; end = indexOutside(text, separator, start)) {
    parts.push(text.slice(start, end))
    start = end + 1
  }
  return [...parts, text.slice(start)]
}

/**
 * Returns the lower-case name and the arguments of a value that is a single function call; `undefined` for any other
 * value.
 *
 * @example parseFunction('RGB(1 2 3)') // { name: 'rgb', inner: '1 2 3' }
 */
export function parseFunction(value: string): { name: string; inner: string } | undefined {
  const name = /^-{0,2}[a-z][a-z-]*(?=\()/i.exec(value)?.[0]
  if (name === undefined) return undefined
  const start = name.length + 1
  return indexOutside(value, ')', start) === value.length - 1
    ? { name: name.toLowerCase(), inner: value.slice(start, -1) }
    : undefined
}

// No real value has more calls. Without the limit, a result that contains the same call would be replaced forever.
const maxCalls = 100

/**
 * Replaces each call of a function within a value by its result, the innermost first. A call without a result stays,
 * and so do the calls around it.
 *
 * @param start Matches the beginning of a call, with its parenthesis. It must be global.
 * @param resultOf Gets the text in parentheses up to the first comma, and the text after it.
 */
export function replaceCalls(
  value: string,
  start: RegExp,
  resultOf: (argument: string, rest: string | undefined) => string | undefined,
): string {
  let replaced = value
  for (let count = 0; count < maxCalls; count++) {
    const last = [...replaced.matchAll(start)].at(-1)
    if (!last) return replaced
    const inner = last.index + last[0].length
    const end = indexOutside(replaced, ')', inner)
    const [argument = '', ...rest] = splitTopLevel(replaced.slice(inner, end), ',')
    const result = end < 0 ? undefined : resultOf(argument.trim(), rest.length > 0 ? rest.join(',').trim() : undefined)
    if (result === undefined) return replaced
    replaced = replaced.slice(0, last.index) + result + replaced.slice(end + 1)
  }
  return replaced
}
