import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { readStylesheet } from './stylesheet.js'

// Valid and malformed parts: rules, nested blocks, arbitrary values, and unclosed constructs.
const pieces = [
  ...[
    '{',
    '}',
    '}',
    ';',
    ':',
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '/',
    '!',
    '#',
    ' ',
    '\n',
    '\\}',
    '\\;',
    '@x',
    'red',
    '--a',
  ],
  ...[
    '--a:red;',
    '--b: x y',
    '--c:{a:b}',
    '--\\61:',
    '--a\\:b:x;',
    '--é:ü;',
    '--:x;',
    '-- :x',
    '--a :x;',
    '--a/**/:x;',
  ],
  ...[
    '--a: /*c*/ y /*d*/;',
    '--A:1;',
    '--a:initial;',
    '--a:url(x',
    'color:red;',
    'color:{',
    '"x"',
    "'y;}'",
    '/*',
    '*/',
  ],
  ...[
    '/*;}*/',
    'url(',
    'url(a;b)',
    'url("x")',
    'url( a',
    'my-url(',
    '!important',
    '! important',
    '!x',
    ':root{',
    ':HOST{',
  ],
  ...[':root{--a:', 'html,.x{', '.x{', '& .x{', '@media all{', '@layer a{', '@layer a;', '@supports (color:red){'],
]

it('readStylesheet reads custom properties as Chromium does', async () => {
  const sheet = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
  const sheets = fc.sample(sheet, { numRuns: 5_000, seed: 1 }).map((parts) => `:root{${parts.join('')}`)
  const browser = await connectToChromium()
  try {
    const expected = await (await browser.newPage()).evaluate(readInBrowser, sheets)
    const differing = sheets.filter(
      (css, index) => normalize(readStylesheet(css).root) !== normalize(expected[index] ?? []),
    )
    expect(differing).toEqual([])
  } finally {
    await browser.close()
  }
})

/** Returns each property's last value as text, without comments and white space. */
function normalize(declarations: readonly (readonly [string, string])[]): string {
  const values = declarations.map(([name, value]) => [name, value.replace(/\/\*.*?(?:\*\/|$)|\s+/gs, '')] as const)
  return JSON.stringify([...new Map(values)].sort())
}

type Layered = [name: string, value: string, depth: number]

function readInBrowser(sheets: string[]): [string, string][][] {
  return sheets.map((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    const declared = [...sheet.cssRules].flatMap((rule) => read(rule, false, 0))
    // All layers have the same name, so a declaration within more layers loses.
    return declared.sort((a, b) => b[2] - a[2]).map(([name, value]) => [name, value])
  })

  function read(rule: CSSRule, inRoot: boolean, depth: number): Layered[] {
    const inner = rule instanceof CSSLayerBlockRule ? depth + 1 : depth
    const holdsForAll = [CSSLayerBlockRule, CSSSupportsRule].some((type) => rule instanceof type)
    if (holdsForAll || (rule instanceof CSSMediaRule && rule.conditionText === 'all'))
      return [...(rule as CSSGroupingRule).cssRules].flatMap((child) => read(child, inRoot, inner))
    if (rule instanceof CSSStyleRule) {
      const isRoot = rule.selectorText.split(',').some((selector) => /^(?::root|:host|html)$/i.test(selector.trim()))
      if (inRoot || !isRoot) return []
      return [...declarationsOf(rule.style, depth), ...[...rule.cssRules].flatMap((child) => read(child, true, depth))]
    }
    return inRoot && 'style' in rule ? declarationsOf(rule.style as CSSStyleDeclaration, depth) : []
  }

  function declarationsOf(style: CSSStyleDeclaration, depth: number): Layered[] {
    const names = [...style].filter((name) => name.startsWith('--'))
    return names.map((name) => [name, style.getPropertyValue(name), depth])
  }
}
