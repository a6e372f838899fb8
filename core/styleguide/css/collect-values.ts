import { sortByWidth } from '../breakpoints.js'
import { isOfKind, type Kind, type KindName, kindByWords, kinds, typographyNames } from '../kinds.js'
import { cssText, type FontSize, pushTo, type ValuesByKind } from '../values.js'
import type { ResolvedProperty } from './properties.js'

export interface CollectOptions {
  /** The names of the properties of a kind, in place of its namespaces. */
  names?: { readonly [Name in KindName]?: string | readonly string[] | undefined }
  /** Prefix of all property names, such as `'--bs-'`. The shown names omit it. */
  prefix?: string
  /** Returns the class of a utility: `'rounded-lg'` for `'rounded'` and `'lg'`. */
  classOf?: (utility: string, name: string) => string
}

/** The kind of a custom property, and its name within the kind. */
interface Match {
  kind: Kind
  name: string
  utility?: string | undefined
}

// Two hyphens within a name mark a detail of another property: `--text-sm--line-height`. The names of some properties of
// CSS begin like a namespace: `--text-indent-list` is not a size.
const ignored =
  /-(?:text-(?:color|decoration|indent|shadow|underline)|font-(?:feature|kerning|palette|smoothing|stretch|style|variant|variation))|.--/

/** Collects the values of all kinds from resolved custom properties. */
export function collectValues(properties: readonly ResolvedProperty[], options: CollectOptions = {}): ValuesByKind {
  const matchOf = createMatcher(options)
  const withoutMode = properties.filter(({ mode }) => mode === undefined)
  const lineHeights = new Map(withoutMode.map(({ name, value }) => [name, cssText(value)]))
  const values = new Map<KindName, FontSize[]>()
  for (const { name: property, value: declared, mode } of properties) {
    const value = cssText(declared)
    const match = value === undefined ? undefined : matchOf(property, value)
    if (value === undefined || !match || (mode !== undefined && !match.kind.hasModes)) continue
    const { kind, name, utility } = match
    const lineHeight = kind.name === 'sizes' ? lineHeights.get(`${property}--line-height`) : undefined
    const className = utility && options.classOf?.(utility, name)
    pushTo(values, kind.name, {
      name,
      value,
      ...(lineHeight && { lineHeight }),
      ...(mode !== undefined && { mode }),
      source: { property, ...(className && { className }) },
    })
  }
  values.set('breakpoints', sortByWidth(values.get('breakpoints') ?? []))
  return values
}

function createMatcher({ names = {}, prefix = '--' }: CollectOptions) {
  const patterns = kinds
    .flatMap((kind) => {
      const option = names[kind.name]
      const named =
        option === undefined ? Object.entries(kind.namespaces) : [option].flat().map((name) => [name, true] as const)
      return named.map(([pattern, utility]) => ({ kind, pattern, utility }))
    })
    .sort((a, b) => b.pattern.length - a.pattern.length)
  // The option names all typography of a kind, but only those other values that are not recognized.
  const recognized = kinds.filter(({ name }) => names[name] === undefined || !typographyNames.includes(name))

  return (property: string, value: string): Match | undefined => {
    const short = property.startsWith(prefix) && property !== prefix ? `--${property.slice(prefix.length)}` : property
    if (ignored.test(short)) return undefined
    const byWords = kindByWords(short, recognized)
    const hasWords = byWords && isOfKind(byWords, value)
    for (const { kind, pattern, utility } of patterns) {
      const isNamed = utility === true
      const name = nameIn(pattern, isNamed ? property : short)
      if (name === '') return undefined
      if (name === undefined || (!isNamed && isOfKind(kind, value) === false)) continue
      // The words of `--text-title-line-height` say more than its namespace.
      if (!isNamed && kind.name === 'sizes' && hasWords && byWords !== kind) break
      return { kind, name, ...(!isNamed && { utility }) }
    }
    // The words of the name decide if no pattern does. The word `text` alone does not make a size: `--button-text-gap`.
    const isText = byWords?.name === 'sizes' && !/t-?(?:size|scale)|^--text\d/i.test(short)
    return hasWords && !isText ? { kind: byWords, name: short.slice(2) } : undefined
  }
}

/** Returns the name of a property in a namespace such as `--text-*`, or of the property that the pattern names. */
function nameIn(pattern: string, property: string): string | undefined {
  if (property === pattern) return property.replace(/^--/, '')
  const start = pattern.slice(0, -1)
  return pattern.endsWith('*') && property.startsWith(start) ? property.slice(start.length) : undefined
}
