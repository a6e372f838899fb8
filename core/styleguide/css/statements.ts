// The tokens of a stylesheet (CSS Syntax 3) that matter for its statements: comments, strings, urls and escapes, whose
// content has no punctuation; punctuation; and runs of other text. An unclosed string or comment extends to the end.
const tokens = new RegExp(
  [
    /\/\*.*?(?:\*\/|$)/s,
    /"(?:\\.|[^"\\\n])*(?:"|$)?/,
    /'(?:\\.|[^'\\\n])*(?:'|$)?/,
    /(?<![\w\\#@-]|\P{ASCII})url\((?!\s*["'])(?:\\.|[^)\\])*\)?/u,
    /\\./,
    /<!--/,
    /[{}();[\]!]/,
    /[^/"'\\{}();[\]!<u]+/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gisu',
)
const validUrl = /^url\(\s*(?:(?:\\[^\n]|[^\s"'()\\])+\s*)?\)?$/isu

/** A declaration, an at-rule without a block, or the text before a block. */
export interface Statement {
  text: string
  /** Index of the statement's first character in the stylesheet. */
  start: number
  /** Stored separately, since reading all of the text again at each semicolon would take quadratic time. */
  firstCharacter: string
  isDeclaration: boolean
  /** The closing brackets that are still missing. */
  brackets: string[]
  bangs: number
  isInvalid: boolean
}

/** Receives the parts of a stylesheet in their order. */
interface StatementReader {
  /** A block begins, with the text before its `{`. */
  open?: (prelude: string, isInvalid: boolean) => void
  close?: () => void
  statement: (statement: Statement) => void
}

/** Splits a stylesheet into its statements and blocks. Takes linear time; malformed CSS is read as browsers read it. */
export function readStatements(css: string, reader: StatementReader): void {
  let depth = 0
  let current = newStatement()
  const endStatement = () => {
    reader.statement(current)
    current = newStatement()
  }
  for (const { 0: token, index } of css.matchAll(tokens)) {
    const { brackets } = current
    const isNested = brackets.length > 0
    // The value of a declaration may be a block; no rule starts like a declaration.
    if (token === '{' && !isNested && depth > 0) current.isDeclaration ||= startsDeclaration(current.text)
    const opensRule = token === '{' && !isNested && !current.isDeclaration
    const closer = ')]}'['([{'.indexOf(token)]

    if (opensRule) {
      reader.open?.(current.text, current.isInvalid)
      depth++
      current = newStatement()
    } else if (token === '}' && !isNested && depth > 0) {
      endStatement()
      reader.close?.()
      depth--
    } else if (token === ';' && !isNested && (depth > 0 || current.firstCharacter === '@')) endStatement()
    else {
      if (closer) brackets.push(closer)
      else if (token === brackets.at(-1)) brackets.pop()
      else if (/^[)}\]]$/.test(token) || isMalformed(token, index + token.length === css.length))
        current.isInvalid = true
      else if (token === '!' && !isNested) current.bangs++
      const piece = token.startsWith('/*') ? ' ' : token
      const content = piece.trimStart()
      if (content && !current.firstCharacter) current.start = index + piece.length - content.length
      current.firstCharacter ||= content.charAt(0)
      current.text += piece
    }
  }
  endStatement()
}

function newStatement(): Statement {
  return { text: '', start: 0, firstCharacter: '', isDeclaration: false, brackets: [], bangs: 0, isInvalid: false }
}

function isMalformed(token: string, isLast: boolean): boolean {
  if (/^["']/.test(token)) return !isLast && (token.length < 2 || token.at(-1) !== token[0])
  return /^url\(/i.test(token) && !validUrl.test(token)
}

// CSS Syntax 3, section 4.3.7: white space that ends the digits is part of the escape.
const escapes = /\\([\da-f]{1,6}[ \t\r\n\f]?|[^\n\da-f])/gisu
const declaration = /^((?:\\.|[^\\:])*):(.*)$/s
const unescaped = /^(?:[\w-]|[^\0-\x7f])*$/

/** Whether a text begins like the declaration of a custom property. */
function startsDeclaration(text: string): boolean {
  return unescapeName(declaration.exec(text)?.[1] ?? '') !== undefined
}

/** Returns the name and the value of the declaration of a custom property. */
export function parseDeclaration({ text, bangs }: Statement): [name: string, value: string] | undefined {
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
