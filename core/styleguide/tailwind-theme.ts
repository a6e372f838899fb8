import { collectValues } from './css/collect-values.js'
import { commentsIn } from './css/comments.js'
import {
  type CustomProperties,
  listOthers,
  type PageProperties,
  readColors,
  resolveProperties,
} from './css/properties.js'
import { type DesignValue, once, readOnDemand, type Styles, type ValuesByKind } from './values.js'

/** A theme loaded by the `tailwindcss` package: the `theme` of its design system. */
export interface TailwindTheme {
  entries(): Iterable<readonly [name: string, value: { value: unknown; options?: number | undefined }]>
  /** The prefix of all names: `tw` if the stylesheet has `prefix(tw)` and thus names such as `--tw-color-red-500`. */
  prefix?: string | null | undefined
}

/** The bit of `@theme default` in the options of a value (`ThemeOptions.DEFAULT` of tailwindcss). */
const defaultOption = 4

/**
 * Reads the styles of a Tailwind 4 theme: the namespaces `--color-*`, `--font-*`, `--text-*`, `--font-weight-*`,
 * `--leading-*`, `--tracking-*` and `--breakpoint-*`. `initial` removes a value. The values of other namespaces, such as
 * `--text-color-*`, are left out.
 *
 * @param page Custom properties that the stylesheet declares outside the theme: in `root` for the whole document, such
 *   as `--brand` if the theme has `--color-brand: var(--brand)`, and in `modes` for each mode.
 * @param options.own Whether to leave out the values of `@theme default`, after the others have referred to them.
 * @param options.css The stylesheet as written, whose comments describe its colors.
 */
export function fromTailwindTheme(
  theme: TailwindTheme,
  page: PageProperties = {},
  { own = false, css = '' }: { own?: boolean; css?: string } = {},
): Styles {
  const prefix = theme.prefix ? `--${theme.prefix}-` : '--'
  const entries = Array.from(theme.entries(), ([name, { value, options = 0 }]) => {
    return { name, value, isDefault: (options & defaultOption) !== 0 }
  })
  // The site's own values come first: in a theme of 288 colors, its brand would be the last.
  const ordered = [...entries.filter(({ isDefault }) => !isDefault), ...entries.filter(({ isDefault }) => isDefault)]
  const properties: CustomProperties = ordered.map(({ name, value }) => [name, value] as const)
  const hidden = new Set(own ? entries.filter(({ isDefault }) => isDefault).map(({ name }) => name) : [])
  const classOf = (utility: string, name: string) => `${theme.prefix ? `${theme.prefix}:` : ''}${utility}-${name}`
  const resolve = once(() => resolveProperties(properties, page).filter(({ name }) => !hidden.has(name)))
  return readOnDemand('fromTailwind4', {
    colors: () =>
      readColors(resolve(), `${prefix}color-`, { classOf: (name) => classOf('bg', name), comments: commentsIn(css) }),
    values: () => withSpacingScale(collectValues(resolve(), { prefix, classOf }), classOf),
    leftOut: (isUsed) =>
      listOthers(properties, resolve(), `${prefix}color-`, (name) => isUsed(name) || hidden.has(name)),
  })
}

// The steps of Tailwind 3's scale, which Tailwind 4 computes from `--spacing` and suggests in editors.
const steps = '0 0.5 1 1.5 2 2.5 3 3.5 4 5 6 7 8 9 10 11 12 14 16 20 24 28 32 36 40 44 48 52 56 60 64 72 80 96'.split(
  ' ',
)

/** Replaces `--spacing`, the unit of Tailwind's scale, with the steps of the scale. */
function withSpacingScale(values: ValuesByKind, classOf: (utility: string, name: string) => string): ValuesByKind {
  const spacing = values.get('spacing')?.flatMap((unit): DesignValue[] => {
    const [, number, suffix] = /^((?:\d*\.)?\d+)([a-z]+)$/.exec(unit.name === 'spacing' ? unit.value : '') ?? []
    if (suffix === undefined) return [unit]
    return steps.map((name) => {
      const value = `${Number((Number(number) * Number(name)).toFixed(4))}${suffix}`
      return { ...unit, name, value, source: { ...unit.source, className: classOf('p', name) } }
    })
  })
  return spacing ? new Map(values).set('spacing', spacing) : values
}
