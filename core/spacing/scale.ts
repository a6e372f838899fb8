import { isLength } from './length.js'

/**
 * Breakpoints and sizes of a site's layout spacing. The stylesheet and the props are made from the same one.
 *
 * @example
 * const scale = { breakpoints: { phone: '0', desktop: '60rem' }, sizes: { tight: '0.5rem', loose: '4rem' } }
 * spacingStylesheet(scale) // at build time
 * createSplitSpacing(scale) // marginPhone="tight", paddingDesktop="bottomLoose"
 */
export interface SpacingScale<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize> {
  /**
   * Name to least width of the window, from narrow to wide, all in one unit: px, em or rem; `'0'` is for every window.
   * The props are `margin` and `padding` with the name behind. Default {@link defaultBreakpoints}.
   */
  breakpoints?: Readonly<Record<Breakpoint, string>> | undefined
  /**
   * Name to length: a CSS length, or calc, clamp, min, max or var of some. It holds wherever the page does not set the
   * custom property of that name: `--sw-extra-small` for `extraSmall`. Default {@link defaultSizes}.
   */
  sizes?: Readonly<Record<Size, string>> | undefined
}

/** Every window, and Tailwind 4's breakpoints. */
export const defaultBreakpoints = {
  xs: '0',
  sm: '40rem',
  md: '48rem',
  lg: '64rem',
  xl: '80rem',
  xxl: '96rem',
} as const

// From `base` outwards, not by length: in this order the stylesheet compresses best.
/** The lengths of the five sizes. */
export const defaultSizes = {
  base: '2rem',
  large: '4rem',
  extraLarge: '6rem',
  small: '1rem',
  extraSmall: '.5rem',
} as const

export type DefaultBreakpoint = keyof typeof defaultBreakpoints
export type DefaultSize = keyof typeof defaultSizes

type Entries = readonly (readonly [name: string, value: string])[]

/** A scale with its defaults, each name and value of which may stand in a stylesheet. */
export interface CheckedScale {
  breakpoints: Entries
  sizes: Entries
}

/**
 * Checks a scale and fills in the defaults.
 *
 * @throws TypeError that names the option: a name or length that is none, breakpoints out of order or in several units.
 */
export function checkScale(scale: SpacingScale<string, string>): CheckedScale {
  const breakpoints = entriesOf('breakpoints', scale.breakpoints ?? defaultBreakpoints)
  const sizes = entriesOf('sizes', scale.sizes ?? defaultSizes)
  checkWidths(breakpoints)
  checkLengths(sizes)
  return { breakpoints, sizes }
}

// Names become part of props, classes and custom properties. A lone number would lose its place in an object.
const plainName = /^\d*[a-z][a-zA-Z0-9]*$/

function entriesOf(option: string, record: Readonly<Record<string, string>>): Entries {
  const entries = Object.entries(record)
  if (entries.length === 0) throw new TypeError(`${option}: there is none; leave the option out for the default`)
  for (const [name, value] of entries) {
    // What only turns into text when it is used could turn into another one each time.
    if (typeof value !== 'string') throw new TypeError(`${option}.${name}: no text; write it as a string`)
    if (plainName.test(name)) continue
    throw new TypeError(`${option}: '${name}' is no name; write a lower-case letter, then letters and digits: 'md'`)
  }
  return entries
}

const width = /^(\d+(?:\.\d+)?|\.\d+)(px|em|rem)$/

function checkWidths(breakpoints: Entries): void {
  let before = { name: '', least: Number.NEGATIVE_INFINITY, unit: '' }
  for (const [name, value] of breakpoints) {
    const [, digits, unit = ''] = value === '0' ? [value, value] : (width.exec(value) ?? [])
    const wrong = (what: string) => new TypeError(`breakpoints.${name}: '${value}' is ${what}`)
    if (digits === undefined) throw wrong("no width; write one such as '48rem', or '0' for every window")
    if (unit && before.unit && unit !== before.unit) throw wrong(`no ${before.unit}; write all in one unit`)
    if (Number(digits) <= before.least) throw wrong(`no wider than '${before.name}'; list them from narrow to wide`)
    before = { name, least: Number(digits), unit: unit || before.unit }
  }
}

function checkLengths(sizes: Entries): void {
  const names = new Set(sizes.map(([name]) => name))
  for (const [name, value] of sizes) {
    if (!isLength(value)) {
      throw new TypeError(
        `sizes.${name}: '${value}' is no length; write one such as '1.5rem' or 'clamp(1rem, 4vw, 3rem)'`,
      )
    }
    for (const side of ['top', 'bottom']) {
      const own = side + capitalize(name)
      if (names.has(own)) throw new TypeError(`sizes.${own}: so the ${side} of '${name}' is called; write another name`)
    }
  }
}

/** The name with its first letter in upper case. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
