const rootSelectors = new Set([':root', ':host', 'html'])

// The pieces of a stylesheet that matter (CSS Syntax 3): comments, strings, urls and escapes, whose insides do not count;
// the marks that open or end something; runs of anything else. A string or comment that never ends goes on to the end.
const pieces = new RegExp(
  [
    /\/\*.*?(?:\*\/|$)/,
    /"(?:\\.|[^"\\\n])*(?:"|$)?/,
    /'(?:\\.|[^'\\\n])*(?:'|$)?/,
    /url\((?!\s*["'])(?:\\.|[^)\\])*\)?/,
    /\\./,
    /[{}();[\]]/,
    /[^/"'\\{}();[\]u]+/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gisu',
)

/**
 * Name and value of the custom properties that a stylesheet declares for the whole document, in their order: within
 * `:root`, `:host`, `html` or `@theme`, and within `@layer` around them. Linear in the length of the text; what is
 * malformed is passed over, as a browser does.
 *
 * @example readDeclarations(':root { --color-a: red } .dark { --color-a: blue }') // [['--color-a', 'red']]
 */
export function readDeclarations(css: string): [name: string, value: string][] {
  const found: [string, string][] = []
  // For each block that is open, whether what it holds is of the whole document.
  const open: boolean[] = []
  let text = ''
  let depth = 0

  const end = () => {
    const declaration = open.at(-1) ? parseDeclaration(text) : undefined
    if (declaration) found.push(declaration)
    text = ''
  }
  for (const [piece] of css.matchAll(pieces)) {
    if (piece.startsWith('/*')) continue
    if (piece === '(' || piece === '[') depth++
    else if (piece === ')' || piece === ']') depth = Math.max(0, depth - 1)

    if (piece === ';' && depth === 0) end()
    else if (piece === '{') {
      open.push((open.at(-1) ?? true) && isOfDocument(text))
      text = ''
    } else if (piece === '}') {
      end()
      open.pop()
      depth = 0
    } else text += piece
  }
  end()
  return found
}

function isOfDocument(prelude: string): boolean {
  const text = prelude.trim().toLowerCase()
  if (text.startsWith('@')) return /^@(?:layer|theme)(?![\w-])/.test(text)
  return text.split(',').some((selector) => rootSelectors.has(selector.trim()))
}

const escapes = /\\([\da-f]{1,6}\s?|.)/gisu

function parseDeclaration(text: string): [name: string, value: string] | undefined {
  const [, written = '', value = ''] = /^\s*(--(?:\\.|[^\\:])*):(.*)$/su.exec(text) ?? []
  const name = written.trimEnd()
  if (!name || /\s/.test(name.replace(escapes, ''))) return undefined
  return [
    name.replace(escapes, readEscape),
    value
      .trim()
      .replace(/!\s*important$/i, '')
      .trim(),
  ]
}

function readEscape(_: string, escaped: string): string {
  const code = /^[\da-f]/i.test(escaped) ? Number.parseInt(escaped, 16) : undefined
  if (code === undefined) return escaped
  return code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
}
