const rootSelectors = new Set([':root', ':host', 'html'])

// The tokens of a stylesheet (CSS Syntax 3) as far as they matter here: comments, strings, urls and escapes, whose
// contents are skipped; punctuation that opens or closes something; runs of anything else. An unclosed string or
// comment extends to the end.
const tokens = new RegExp(
  [
    /\/\*.*?(?:\*\/|$)/,
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
const closers = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const validUrl = /^url\(\s*(?:\\[^\n]|[^\s"'()\\])*\s*\)?$/isu

/** What a block is: an `@layer` that may hold rules of the root, a rule of the root, or any other block. */
type Block = 'layer' | 'root' | 'other'

/**
 * Reads the custom properties that a stylesheet declares for the whole document, in their order: in `:root`, `:host`,
 * `html` or `@theme`, and in `@layer` around or inside of them. Takes linear time; malformed CSS is skipped, as
 * browsers do.
 *
 * @example readDeclarations(':root { --color-a: red } .dark { --color-a: blue }') // [['--color-a', 'red']]
 */
export function readDeclarations(css: string): [name: string, value: string][] {
  const declarations: [string, string][] = []
  const blocks: Block[] = []
  // State of the current declaration or prelude: its text, the closing brackets it still needs, and what makes it
  // invalid.
  let text = ''
  // What its beginning says about it. To read all of it again at each brace or semicolon would take quadratic time.
  let firstCharacter = ''
  let isDeclaration = false
  let brackets: string[] = []
  let bangs = 0
  let isInvalid = false

  const reset = () => {
    text = ''
    firstCharacter = ''
    isDeclaration = false
    brackets = []
    bangs = 0
    isInvalid = false
  }
  const endDeclaration = () => {
    const declaration = blocks.at(-1) === 'root' && !isInvalid ? parseDeclaration(text, bangs) : undefined
    if (declaration) declarations.push(declaration)
    reset()
  }
  for (const { 0: token, index } of css.matchAll(tokens)) {
    const isNested = brackets.length > 0
    // The value of a declaration may be a block; no rule starts like a declaration.
    if (token === '{' && !isNested && blocks.length > 0) isDeclaration ||= startsDeclaration(text)
    const opensRule = token === '{' && !isNested && !isDeclaration
    const closer = closers.get(token)

    if (opensRule) {
      blocks.push(isInvalid ? 'other' : blockType(text, blocks.at(-1) ?? 'layer'))
      reset()
    } else if (token === '}' && !isNested && blocks.length > 0) {
      endDeclaration()
      blocks.pop()
    } else if (token === ';' && !isNested && (blocks.length > 0 || firstCharacter === '@')) endDeclaration()
    else {
      if (closer) brackets.push(closer)
      else if (token === brackets.at(-1)) brackets.pop()
      else if (/^[)}\]]$/.test(token) || isMalformed(token, index + token.length === css.length)) isInvalid = true
      else if (token === '!' && !isNested) bangs++
      const piece = token.startsWith('/*') ? ' ' : token
      firstCharacter ||= piece.trimStart().charAt(0)
      text += piece
    }
  }
  endDeclaration()
  return declarations
}

function isMalformed(token: string, isLast: boolean): boolean {
  if (/^["']/.test(token)) return !isLast && (token.length < 2 || token.at(-1) !== token[0])
  return /^url\(/i.test(token) && !validUrl.test(token)
}

function blockType(prelude: string, parent: Block): Block {
  const text = prelude.trim().toLowerCase()
  if (/^@layer(?![\w-])/.test(text)) return parent
  const isRoot = text.startsWith('@')
    ? /^@theme(?![\w-])/.test(text)
    : text.split(',').some((selector) => rootSelectors.has(selector.trim()))
  return parent === 'layer' && isRoot ? 'root' : 'other'
}

const escapeSequence = /\\([\da-f]{6}\s?|[\da-f]{1,5}(?![\da-f])\s?|[^\n\da-f])/isu
const escapes = new RegExp(escapeSequence, 'gisu')
const declaration = new RegExp(`^\\s*((?:${escapeSequence.source}|[\\w-]|\\P{ASCII})+)\\s*:(.*)$`, 'isu')

function startsDeclaration(text: string): boolean {
  return unescapeName(declaration.exec(text)?.[1] ?? '') !== undefined
}

function parseDeclaration(text: string, bangs: number): [name: string, value: string] | undefined {
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
