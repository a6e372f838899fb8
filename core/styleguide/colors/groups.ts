import { pushTo } from '../values.js'
import type { StyleColor } from './style-color.js'

/** Colors with a common name, such as the shades of red. */
export interface ColorGroup {
  /** `undefined` for the colors without a group, such as black and white. */
  name: string | undefined
  /** The mode of its colors, such as `dark`; missing for the document's own colors. */
  mode?: string | undefined
  /** Sorted by shade: `DEFAULT` first, then numbers in ascending order, then the others in their original order. */
  colors: readonly StyleColor[]
}

/**
 * Groups the colors of each mode by name. The groups are in the order of their first colors. A color with the name of a group becomes
 * the group's `DEFAULT`; colors without a group form one group without a name.
 *
 * @example groupColors([{ name: 'red-500', value: '#f00', group: 'red', shade: '500' }])[0]?.name // 'red'
 */
export function groupColors(colors: readonly StyleColor[]): ColorGroup[] {
  return groupByMode(colors).flatMap(({ mode, colors }) =>
    groupByName(colors).map((group) => (mode === undefined ? group : { ...group, mode })),
  )
}

/** Puts the colors of each mode into one group without a name, in their original order. */
export function groupByMode(colors: readonly StyleColor[]): ColorGroup[] {
  const modes = collect(colors, ({ mode }) => mode)
  return Array.from(modes, ([mode, members]) => ({ name: undefined, mode, colors: members }))
}

function groupByName(colors: readonly StyleColor[]): ColorGroup[] {
  const names = new Set(colors.map(({ group }) => group))
  const members = colors.map((color) => {
    const isDefault = color.group === undefined && names.has(color.name)
    return isDefault ? { ...color, group: color.name, shade: 'DEFAULT' } : color
  })
  const groups = collect(members, ({ group }) => group)
  return Array.from(groups, ([name, colors]) => ({ name, colors: colors.sort((a, b) => rankOf(a) - rankOf(b) || 0) }))
}

function collect(
  colors: readonly StyleColor[],
  keyOf: (color: StyleColor) => string | undefined,
): Map<string | undefined, StyleColor[]> {
  const collected = new Map<string | undefined, StyleColor[]>()
  for (const color of colors) pushTo(collected, keyOf(color), color)
  return collected
}

function rankOf({ shade = '' }: StyleColor): number {
  if (shade === 'DEFAULT') return -1
  return /^\d+$/.test(shade) ? Number(shade) : Number.POSITIVE_INFINITY
}
