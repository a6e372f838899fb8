import { optionError } from '../../option-error.js'
import { checkStylesheet } from '../check-text.js'
import type { KindName } from '../kinds.js'
import { isPlainObject, once, ownEntries, readOnDemand, type Styles, type Typography } from '../values.js'
import { collectValues } from './collect-values.js'
import { commentsIn } from './comments.js'
import { type CustomProperties, listOthers, readColors, resolveProperties } from './properties.js'
import { type Declarations, readStylesheet, type SelectorOptions, type Stylesheet } from './stylesheet.js'

type NamesOf<Kind extends KindName> = { readonly [Name in Kind]?: string | readonly string[] | undefined }

/**
 * The names of the custom properties with the typography: `['--serif', '--sans']`, or a namespace such as `'--text-*'`.
 * The shown names omit the namespace. If several names match a property, the longest wins. By default, families are
 * `'--font-*'`, sizes `'--text-*'` with their line heights in `--text-sm--line-height`, weights `'--font-weight-*'`,
 * line heights `'--leading-*'`, and letter spacings `'--tracking-*'`, each if a browser takes the value there. Names
 * with the CSS property in them, such as `--acme-font-size-sm` and `--text-title-line-height`, are recognized, too.
 */
export type TypographyNames = NamesOf<keyof Typography>

/** The names of other custom properties, written like {@link TypographyNames}: `{ shadows: '--elevation-*' }`. */
export type ValueNames = NamesOf<Exclude<KindName, keyof Typography | 'breakpoints'>>

export interface CssVariablesOptions extends SelectorOptions {
  /**
   * Prefix of the colors' property names. The shown names omit it. Default `'--color-'`. If the prefix does not contain
   * the word `color`, as in `'--bs-'`, properties that are not colors are left out.
   */
  prefix?: string | undefined
  /** The names of the properties that hold the typography. Default: Tailwind 4's names. */
  typography?: TypographyNames | undefined
  /**
   * The names of the properties that hold shadows, radii, gradients and distances, if they are not recognized by name
   * and value.
   */
  names?: ValueNames | undefined
}

/**
 * Reads the styles from plain CSS custom properties. The input is an object of custom properties, or a stylesheet: its
 * declarations in `:root`, `:host`, `html` and `@theme`, and the initial values of `@property`. A theme (`.dark`,
 * `[data-theme='dark']`) or a media query has its own colors, with a `mode`. If a property is declared several times in
 * a mode, the highest cascade layer and then the last declaration counts, regardless of specificity and `!important`.
 * Breakpoints are read from the namespace `--breakpoint-*`.
 *
 * @throws TypeError for anything but a stylesheet or an object. Reading the colors throws if the stylesheet has custom
 *   properties, but no property with the prefix; the message names a property of the stylesheet.
 * @example
 * fromCssVariables(':root { --color-brand: #06c; --color-link: var(--color-brand) } .dark { --color-brand: #9cf }').colors
 * // [{ name: 'brand', value: '#06c' }, { name: 'link', value: '#06c', alias: 'brand' },
 * //  { name: 'brand', value: '#9cf', mode: 'dark' }, { name: 'link', value: '#9cf', alias: 'brand', mode: 'dark' }]
 * fromCssVariables(css, { typography: { families: '--serif', sizes: '--size-*' } }).typography
 * // { families: [{ name: 'serif', value: 'Georgia, serif' }], sizes: [{ name: 'text', value: '1.2rem' }] }
 */
export function fromCssVariables(
  css: string | Readonly<Record<string, unknown>>,
  { prefix = '--color-', typography, names, ...options }: CssVariablesOptions = {},
): Styles {
  const stylesheet = typeof css === 'string' ? readStylesheet(checkStylesheet(css), options) : undefined
  const { root, modes } = stylesheet ?? { root: entriesOf(css), modes: new Map<string, Declarations>() }
  const onlyInOneMode = declaredByOneMode(root, modes)
  const isMixed = !/colou?r/i.test(prefix)
  const resolve = once(() => resolveProperties(root, { modes }).filter(({ name }) => !onlyInOneMode.has(name)))
  return readOnDemand('fromCssVariables', {
    colors: () => {
      const colors = readColors(resolve(), prefix, { isMixed, comments: commentsIn(stylesheet ? (css as string) : '') })
      if (colors.length === 0 && stylesheet) checkPrefix(css as string, stylesheet, prefix)
      return colors
    },
    values: () => collectValues(resolve(), { names: { ...typography, ...names }, ...(isMixed && { prefix }) }),
    leftOut: (isUsed) => [
      ...Array.from(onlyInOneMode, ([name, value]) => ({ name, value, reason: reasons.oneMode })),
      ...(stylesheet?.elsewhere ?? []).map(({ property, value, selector }) => {
        return { name: `${property} of ${selector}`, value, reason: reasons.elsewhere }
      }),
      ...importsIn(css).map((name) => ({ name, reason: `not read; ${passImports}` })),
      ...listOthers(
        [...modes.values(), root].flatMap((list) => [...list]),
        resolve(),
        prefix,
        isUsed,
      ).filter(({ name }) => !onlyInOneMode.has(name)),
    ],
  })
}

const passImports = 'pass the imported stylesheets themselves'
const reasons = {
  oneMode: 'declared by one mode alone, not by the document',
  elsewhere:
    "declared for something within the page; the options 'selectors' and 'modes' name selectors of the document",
}

function importsIn(css: unknown): string[] {
  return typeof css === 'string' ? Array.from(css.matchAll(/@import\s[^;]{1,200}/gi), ([text]) => text) : []
}

/**
 * Returns the properties that a single mode declares and the document does not: details of a component. The result is
 * empty if the document declares no properties at all.
 */
function declaredByOneMode(root: CustomProperties, modes: ReadonlyMap<string, Declarations>): Map<string, string> {
  const seen = new Set(Array.from(root, ([name]) => name))
  const onlyInOneMode = new Map<string, string>()
  if (seen.size === 0) return onlyInOneMode
  for (const declarations of modes.values()) {
    for (const [name, value] of new Map(declarations)) {
      if (seen.has(name)) onlyInOneMode.delete(name)
      else onlyInOneMode.set(name, value)
      seen.add(name)
    }
  }
  return onlyInOneMode
}

function entriesOf(css: unknown): [name: string, value: unknown][] {
  if (isPlainObject(css)) return ownEntries(css)
  const expected = 'a stylesheet as text, or an object of custom properties'
  throw optionError('css', expected, css, 'await a promise, and decode a buffer')
}

/** Throws if a stylesheet has no custom property with the prefix. The message names a property that it has. */
function checkPrefix(css: string, { root, modes, elsewhere }: Stylesheet, prefix: string): void {
  const fail = (got: string, hint: string) =>
    new TypeError(`css: expected custom properties named ${prefix}… at :root or in a theme, got ${got}; ${hint}`)
  if (css.includes('\0')) throw fail('text with NUL characters', 'decode a file in UTF-16 as such')
  const properties = [root, ...modes.values()].flat()
  if (properties.some(([name]) => name.startsWith(prefix))) return
  if (properties[0])
    throw fail(`${properties.length} others, such as ${properties[0][0]}`, "name theirs by the option 'prefix'")
  if (elsewhere[0]) {
    const { property, selector } = elsewhere[0]
    const got = `${elsewhere.length} elsewhere, such as ${property} in '${selector.slice(0, 100)}'`
    throw fail(got, "name their selectors by the option 'selectors' or 'modes'")
  }
  const [imported] = importsIn(css)
  if (imported) throw fail(imported, passImports)
}
