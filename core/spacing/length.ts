const plainLength = /^(?:0|(?:\d+(?:\.\d+)?|\.\d+)(?:[a-z]{1,5}|%))$/
// Without colon, semicolon, quote, brace and backslash, a formula cannot end the declaration or begin another.
const formula = /^(?:calc|clamp|min|max|var)\([\w.%+\-*/(), ]+\)$/
const otherFunction = /(?<![\w-])(?!(?:calc|clamp|min|max|var)\()[\w-]+\(/

/**
 * Whether a text is one CSS length that is not negative (paddings cannot be), or a formula of lengths: calc, clamp, min,
 * max, var. It is then safe as the value of a declaration.
 *
 * @example isLength('clamp(1rem, 4vw, 3rem)') // true
 */
export function isLength(text: string): boolean {
  if (plainLength.test(text)) return true
  return formula.test(text) && !otherFunction.test(text) && !text.includes('/*') && isSingleFunction(text)
}

function isSingleFunction(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++
    if (text[index] === ')' && --depth === 0) return index === text.length - 1
  }
  return false
}
