const rootSelectors = new Set([':root', ':host', 'html'])

// The pieces of a stylesheet that matter (CSS Syntax 3): comments, strings, urls and escapes, whose insides do not count;
// the marks that open or end something; runs of anything else. A string or comment that never ends goes on to the end.
const pieces = new RegExp(
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
const ends = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const goodUrl = /^url\(\s*(?:\\[^\n]|[^\s"'()\\])*\s*\)?$/isu

/** Where a block is: around the rules of the whole document, in one of them, or elsewhere. */
type Block = 'around' | 'in' | 'elsewhere'

/**
 * Name and value of the custom properties that a stylesheet declares for the whole document, in their order: within
 * `:root`, `:host`, `html` or `@theme`, and within `@layer` around or in them. Linear in the length of the text; what is
 * malformed is passed over, as a browser does.
 *
 * @example readDeclarations(':root { --color-a: red } .dark { --color-a: blue }') // [['--color-a', 'red']]
 */
export function readDeclarations(css: string): [name: string, value: string][] {
  const found: [string, string][] = []
  const blocks: Block[] = []
  // Of a declaration or prelude: its text, the ends of the brackets that are open in it, and what makes it invalid.
  let text = ''
  let brackets: string[] = []
  let bangs = 0
  let isBad = false

  const begin = () => {
    text = ''
    brackets = []
    bangs = 0
    isBad = false
  }
  const end = () => {
    const declaration = blocks.at(-1) === 'in' && !isBad ? parseDeclaration(text, bangs) : undefined
    if (declaration) found.push(declaration)
    begin()
  }
  for (const { 0: piece, index } of css.matchAll(pieces)) {
    const isNested = brackets.length > 0
    // A declaration may have a block for a value; a rule cannot begin as one does.
    const opensRule = piece === '{' && !isNested && (blocks.length === 0 || !startsDeclaration(text))
    const closer = ends.get(piece)

    if (opensRule) {
      blocks.push(isBad ? 'elsewhere' : blockOf(text, blocks.at(-1) ?? 'around'))
      begin()
    } else if (piece === '}' && !isNested && blocks.length > 0) {
      end()
      blocks.pop()
    } else if (piece === ';' && !isNested && (blocks.length > 0 || text.trimStart().startsWith('@'))) end()
    else {
      if (closer) brackets.push(closer)
      else if (piece === brackets.at(-1)) brackets.pop()
      else if (/^[)}\]]$/.test(piece) || isBroken(piece, index + piece.length === css.length)) isBad = true
      else if (piece === '!' && !isNested) bangs++
      text += piece.startsWith('/*') ? ' ' : piece
    }
  }
  end()
  return found
}

function isBroken(piece: string, isLast: boolean): boolean {
  if (/^["']/.test(piece)) return !isLast && (piece.length < 2 || piece.at(-1) !== piece[0])
  return /^url\(/i.test(piece) && !goodUrl.test(piece)
}

function blockOf(prelude: string, parent: Block): Block {
  const text = prelude.trim().toLowerCase()
  if (/^@layer(?![\w-])/.test(text)) return parent
  const isOfDocument = text.startsWith('@')
    ? /^@theme(?![\w-])/.test(text)
    : text.split(',').some((selector) => rootSelectors.has(selector.trim()))
  return parent === 'around' && isOfDocument ? 'in' : 'elsewhere'
}

const escapeSequence = /\\([\da-f]{6}\s?|[\da-f]{1,5}(?![\da-f])\s?|[^\n\da-f])/isu
const escapes = new RegExp(escapeSequence, 'gisu')
const declaration = new RegExp(`^\\s*((?:${escapeSequence.source}|[\\w-]|\\P{ASCII})+)\\s*:(.*)$`, 'isu')

function startsDeclaration(text: string): boolean {
  return nameOf(declaration.exec(text)?.[1] ?? '') !== undefined
}

function parseDeclaration(text: string, bangs: number): [name: string, value: string] | undefined {
  const [, written = '', , rest = ''] = declaration.exec(text) ?? []
  const name = nameOf(written)
  const value = bangs === 1 ? rest.trim().replace(/!\s*important$/i, '') : rest.trim()
  const isFlagged = bangs > 0 && value === rest.trim()
  return name === undefined || isFlagged ? undefined : [name, value.trim()]
}

/** The name of a custom property, unescaped; `--` alone is none. */
function nameOf(written: string): string | undefined {
  const name = written.replace(escapes, readEscape)
  return name.startsWith('--') && name.length > 2 ? name : undefined
}

function readEscape(_: string, escaped: string): string {
  const code = /^[\da-f]/i.test(escaped) ? Number.parseInt(escaped, 16) : undefined
  if (code === undefined) return escaped
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)
}
