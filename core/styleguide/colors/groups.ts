import type { StyleColor } from './style-color.js'

/** Colors with a common name, such as the shades of red. */
export interface ColorGroup {
  /** `undefined` for the colors without a group, such as black and white. */
  name: string | undefined
  /** Sorted by shade: `DEFAULT` first, then numbers in ascending order, then the others in their original order. */
  colors: readonly StyleColor[]
}

/**
 * Groups colors by name, in the order of each group's first color. A color with the name of a group becomes its
 * `DEFAULT`; colors without a group form one group without a name.
 *
 * @example groupColors([{ name: 'red-500', value: '#f00', group: 'red', shade: '500' }])[0]?.name // 'red'
 */
export function groupColors(colors: readonly StyleColor[]): ColorGroup[] {
  const names = new Set(colors.map(({ group }) => group))
  const groups = new Map<string | undefined, StyleColor[]>()
  for (const color of colors) {
    const isDefault = color.group === undefined && names.has(color.name)
    const member = isDefault ? { ...color, group: color.name, shade: 'DEFAULT' } : color
    const members = groups.get(member.group)
    if (members) members.push(member)
    else groups.set(member.group, [member])
  }
  return [...groups].map(([name, members]) => ({ name, colors: members.sort(byShade) }))
}

function byShade(a: StyleColor, b: StyleColor): number {
  const [first, second] = [rankOf(a), rankOf(b)]
  return first === second ? 0 : first - second
}

function rankOf({ shade = '' }: StyleColor): number {
  if (shade === 'DEFAULT') return -1
  return /^\d+$/.test(shade) ? Number(shade) : Number.POSITIVE_INFINITY
}
