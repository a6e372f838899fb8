/**
 * How closely a site follows its styleguide: the output of `npx sitewright styleguide check --json`.
 *
 * @experimental
 */
export interface Adoption {
  /**
   * The share of values in the stylesheets that are tokens. `sizes` are font sizes; `spacings` are margins, paddings
   * and gaps.
   */
  shares: readonly { kind: 'colors' | 'sizes' | 'spacings'; percent: number; tokens: number; values: number }[]
  /**
   * The values that are not tokens. `place` is stylesheet, line and column: `styles/card.css:12:3`. `token` is the
   * nearest token; a token at a difference of 0 can replace the value. The `difference` of colors is ΔE (CIEDE2000),
   * plus 1 for each percent of opacity: `ΔE 0.4`. The `difference` of lengths is in pixels, in a window 1,280 pixels
   * wide: `2 px`. `token` and `difference` are empty if the values can be compared only in a browser.
   */
  strays: readonly { place: string; property: string; value: string; token: string; difference: string }[]
  /** Text colors whose contrast with their background (`ground`) is less than 4.5. */
  pairs: readonly { text: string; ground: string; mode: string; contrast: number }[]
  /** Pictures without a text alternative. */
  pictures: readonly { page: string; picture: string }[]
  /** Headings that skip a level. */
  headings: readonly { page: string; heading: string; after: string }[]
  /** The components of the styleguide, each with the pages that use it. */
  components: readonly { component: string; pages: readonly string[] }[]
}

const titles = {
  strays: 'Values that are not tokens',
  pairs: 'Pairs that fail',
  pictures: 'Pictures without a text',
  headings: 'Headings that skip a level',
  components: 'Components',
}

/** Returns a table for each part except the shares. Empty parts have no table. */
export function adoptionTables(
  adoption: Adoption,
): { title: string; head: string[]; rows: (string | readonly string[])[][] }[] {
  return (Object.keys(titles) as (keyof typeof titles)[]).flatMap((part) => {
    const [first] = adoption[part]
    const rows = adoption[part].map((row) =>
      Object.values(row).map((cell) => (Array.isArray(cell) ? cell : String(cell))),
    )
    const head = Object.keys(first ?? {}).map((name) => name.charAt(0).toUpperCase() + name.slice(1))
    return first ? { title: titles[part], head, rows } : []
  })
}
