/** How far a site follows its styleguide, as `npx sitewright styleguide check --json` prints it. */
export interface Adoption {
  /** How many of the values in the stylesheets are tokens. Sizes are those of fonts; spacings are margins, paddings and gaps. */
  shares: readonly { kind: 'colors' | 'sizes' | 'spacings'; percent: number; tokens: number; values: number }[]
  /**
   * The values that are not tokens: stylesheet, line and column (`styles/card.css:12:3`), and the nearest token, which stands for the value
   * if the difference is 0. The difference of colors is ΔE by CIEDE2000, and 1 more for each percent of opacity (`ΔE 0.4`); of lengths,
   * it is measured in a window of 1,280 pixels (`2 px`). Both are empty if only a browser can compare.
   */
  strays: readonly { place: string; property: string; value: string; token: string; difference: string }[]
  /** Text colors with a contrast of less than 4.5 on their grounds. */
  pairs: readonly { text: string; ground: string; mode: string; contrast: number }[]
  /** Pictures without a text. */
  pictures: readonly { page: string; picture: string }[]
  /** Headings that skip a level. */
  headings: readonly { page: string; heading: string; after: string }[]
  components: readonly { component: string; pages: readonly string[] }[]
}

const titles = {
  strays: 'Values that are not tokens',
  pairs: 'Pairs that fail',
  pictures: 'Pictures without a text',
  headings: 'Headings that skip a level',
  components: 'Components',
}

/** Returns what was found, except for the shares, as tables. A part that found nothing has no table. */
export function adoptionTables(adoption: Adoption): { title: string; head: string[]; rows: string[][] }[] {
  return (Object.keys(titles) as (keyof typeof titles)[]).flatMap((part) => {
    const [first] = adoption[part]
    const rows = adoption[part].map((row) => Object.values(row).map((cell) => [cell].flat().join(', ')))
    const head = Object.keys(first ?? {}).map((name) => name.charAt(0).toUpperCase() + name.slice(1))
    return first ? { title: titles[part], head, rows } : []
  })
}
