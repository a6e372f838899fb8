import { readFileSync } from 'node:fs'
import type { Scheme } from './driver.js'

// The stylesheet as the site's author wrote it: what a browser computes could have the wrong color scheme.
const tokens = readFileSync(new URL('../../examples/site/styles/tokens.css', import.meta.url), 'utf8')

/** The hex of a color of the examples' site in each color scheme: `#f6f1e6` and `#16120e` for `--color-paper`. */
function hexesOf(property: string): Record<Scheme, string> {
  const [, light, dark] = new RegExp(`${property}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
  if (!light || !dark) throw new Error(`tokens.css has no ${property} of two hexes`)
  return { light, dark }
}

/** Returns the notation of computed styles: `rgb(246, 241, 230)` for `#f6f1e6`. */
function toRgb(hex: string): string {
  return `rgb(${[1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)).join(', ')})`
}

const paper = hexesOf('--color-paper')

/** The background of the pages, and of the styleguide, which has the site's colors. */
export const background: Record<Scheme, string> = { light: toRgb(paper.light), dark: toRgb(paper.dark) }

/** The first value of the color `accent` in the styleguide. */
export const accent = hexesOf('--color-accent').light
