import { optionError } from '../option-error.js'
import { checkBoolean, checkKnownOptions, checkObject, type OptionChecks } from '../options.js'

/**
 * Breakpoints and sizes of a site's layout spacing. Pass the same scale to the stylesheet and to the props.
 *
 * @example
 * { breakpoints: { phone: '0', desktop: '60rem' }, sizes: { tight: '0.5rem', loose: '4rem' } }
 * // marginPhone="tight", paddingDesktop="bottomLoose"
 */
export interface SpacingScale<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize> {
  /**
   * The minimum viewport width of each breakpoint, from narrow to wide, all in one unit: px, em or rem; `'0'` is any
   * viewport. The props are `margin` and `padding` followed by the breakpoint's name. Default: any viewport, and
   * Tailwind 4's breakpoints.
   */
  breakpoints?: Readonly<Record<Breakpoint, string>> | undefined
  /**
   * The length of each size: a CSS length, or calc, clamp, min, max or var. The length applies wherever the page does
   * not set the size's custom property: `--sw-extra-small` for `extraSmall`. Default: `extraSmall` (.5rem) to
   * `extraLarge` (6rem).
   */
  sizes?: Readonly<Record<Size, string>> | undefined
}

/** Any viewport, and Tailwind 4's breakpoints. */
export const defaultBreakpoints = {
  xs: '0',
  sm: '40rem',
  md: '48rem',
  lg: '64rem',
  xl: '80rem',
  xxl: '96rem',
} as const

// These are not sorted by length, because in this order the stylesheet compresses best.
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

/** A scale with the defaults filled in, whose names and values are safe in a stylesheet. */
export interface CheckedScale {
  breakpoints: Entries
  sizes: Entries
}

// The checks include the option of the stylesheet, because the props may get the same object.
const checks: OptionChecks<SpacingScale & { layered?: boolean }> = {
  breakpoints: checkObject,
  sizes: checkObject,
  layered: checkBoolean,
}

/**
 * Checks a scale and fills in the defaults.
 *
 * @param call An example call of the function that got the scale, for the error message.
 * @throws TypeError that names the option, for an invalid name or length, and for breakpoints out of order or in
 *   several units.
 */
export function checkScale(scale: SpacingScale<string, string>, call: string): CheckedScale {
  checkKnownOptions(scale, checks, call)
  const breakpoints = checkNames('breakpoints', scale.breakpoints ?? defaultBreakpoints)
  const sizes = checkNames('sizes', scale.sizes ?? defaultSizes)
  checkWidths(breakpoints)
  checkLengths(sizes)
  return { breakpoints, sizes }
}

// Names become part of props, classes and custom properties. A bare number is invalid, because objects move integer
// keys to the front.
const validName = /^\d*[a-z][a-zA-Z0-9]*$/

function checkNames(option: string, record: Readonly<Record<string, string>>): Entries {
  const entries = Object.entries(record)
  if (entries.length === 0) {
    throw optionError(option, 'at least one entry', entries, 'leave the option out for the default')
  }
  for (const [name, value] of entries) {
    // An object with its own toString could return a different text at each use.
    if (typeof value !== 'string') throw optionError(`${option}.${name}`, 'a string', value)
    if (validName.test(name)) continue
    throw optionError(option, "names of letters and digits that begin in lower case, such as 'md'", name)
  }
  return entries
}

const width = /^(\d+(?:\.\d+)?|\.\d+)(px|em|rem)$/

function checkWidths(breakpoints: Entries): void {
  let previous = { name: '', width: Number.NEGATIVE_INFINITY, unit: '' }
  for (const [name, value] of breakpoints) {
    const [, digits, unit = ''] = value === '0' ? [value, value] : (width.exec(value) ?? [])
    const fail = (expected: string, hint?: string) => optionError(`breakpoints.${name}`, expected, value, hint)
    if (digits === undefined) throw fail("a width such as '48rem', or '0' for any viewport")
    if (unit && previous.unit && unit !== previous.unit)
      throw fail(`a width in ${previous.unit}`, 'use one unit for all')
    if (Number(digits) <= previous.width)
      throw fail(`a width above that of '${previous.name}'`, 'list them from narrow to wide')
    previous = { name, width: Number(digits), unit: unit || previous.unit }
  }
}

function checkLengths(sizes: Entries): void {
  const names = new Set(sizes.map(([name]) => name))
  for (const [name, value] of sizes) {
    if (!isLength(value)) {
      throw optionError(`sizes.${name}`, "a length such as '1.5rem' or 'clamp(1rem, 4vw, 3rem)'", value)
    }
    for (const side of ['top', 'bottom']) {
      const sideName = side + capitalize(name)
      if (!names.has(sideName)) continue
      throw optionError('sizes', 'unique names', sideName, `name already used for the ${side} side of '${name}'`)
    }
  }
}

const plainLength = /^(?:0|(?:\d+(?:\.\d+)?|\.\d+)(?:[a-z]{1,5}|%))$/
// A formula has no colon, semicolon, quote, brace and backslash, so it cannot end the declaration or begin another.
const formula = /^(?:calc|clamp|min|max|var)\([\w.%+\-*/(), ]+\)$/
const otherFunction = /(?<![\w-])(?!(?:calc|clamp|min|max|var)\()[\w-]+\(/

/**
 * Whether a text is a single CSS length that is not negative (paddings cannot be negative), or a formula of lengths:
 * calc, clamp, min, max, var. Such a text is safe as the value of a declaration.
 *
 * @example isLength('clamp(1rem, 4vw, 3rem)') // true
 */
function isLength(text: string): boolean {
  if (plainLength.test(text)) return true
  return formula.test(text) && !otherFunction.test(text) && !text.includes('/*') && isSingleFunction(text)
}

function isSingleFunction(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++
    if (text[index] === ')' && --depth === 0) return index === text.length - 1
  }
  return false
}

/** Returns a name with its first letter in upper case. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
