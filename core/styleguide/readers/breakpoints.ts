import { cssText, type DesignValue } from '../values/design-value.js'
import { ownMember } from './own-members.js'
import { type TailwindTheme, themeProperties } from './tailwind-theme/theme.js'
import { readSection, type Tailwind3Config } from './tailwind3/config.js'

const namespace = '--breakpoint-'

/**
 * Reads the breakpoints of a Tailwind 4 theme, the namespace `--breakpoint-*`, from narrow to wide.
 *
 * @example breakpointsFromTailwindTheme({ '--breakpoint-sm': '40rem' }) // [{ name: 'sm', value: '40rem' }]
 */
export function breakpointsFromTailwindTheme(theme: TailwindTheme): DesignValue[] {
  return sortByWidth(
    themeProperties(theme)
      .filter(({ name }) => name.startsWith(namespace) && name.length > namespace.length)
      .map(({ name, value }) => ({ name: name.slice(namespace.length), value })),
  )
}

/**
 * Reads the breakpoints of Tailwind 3, `theme.screens`, from narrow to wide, by their minimum width. Screens without
 * one (`max` alone, `raw`) and lists of ranges are left out.
 *
 * @example breakpointsFromTailwind3({ theme: { screens: { sm: '640px', md: { min: '768px' } } } })
 * // [{ name: 'sm', value: '640px' }, { name: 'md', value: '768px' }]
 */
export function breakpointsFromTailwind3(config: Tailwind3Config | Readonly<Record<string, unknown>>): DesignValue[] {
  const screens = new Map(readSection(config, 'screens'))
  return sortByWidth(
    Array.from(screens, ([name, screen]) => ({ name, value: cssText(screen) ?? ownMember(screen, 'min') })),
  )
}

const pixels = new Map([
  ['px', 1],
  ['em', 16],
  ['rem', 16],
])

/** Sorts by width, as Tailwind does, unless there is a width that only a browser can resolve. */
function sortByWidth(breakpoints: readonly { name: string; value: unknown }[]): DesignValue[] {
  const texts = breakpoints.flatMap(({ name, value }) => {
    const text = cssText(value)
    return text === undefined ? [] : [{ name, value: text }]
  })
  const widths = texts.map(({ value }) => widthOf(value))
  if (widths.includes(undefined)) return texts
  return texts.sort((a, b) => (widthOf(a.value) ?? 0) - (widthOf(b.value) ?? 0))
}

function widthOf(value: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?|\.\d+)([a-z]+)$/i.exec(value) ?? []
  const factor = pixels.get(unit.toLowerCase())
  return number === undefined || factor === undefined ? undefined : Number(number) * factor
}
