import type { StyleColor } from './style-color.js'

/** Colors that belong together. */
export interface ColorGroup {
  /** `undefined` for the colors that stand alone, such as black and white. */
  name: string | undefined
  /** By shade: `DEFAULT` first, then the numbers rising, then the others as they came. */
  colors: readonly StyleColor[]
}

/**
 * Groups colors by name, the groups in the order of their first color. A color that bears the name of a group is its
 * `DEFAULT`; those that stand alone are one group without a name.
 *
 * @example groupColors([{ name: 'red-500', value: '#f00', group: 'red', shade: '500' }])[0]?.name // 'red'
 */
export function groupColors(colors: readonly StyleColor[]): ColorGroup[] {
  const names = new Set(colors.map(({ group }) => group))
  const groups = new Map<string | undefined, StyleColor[]>()
  for (const color of colors) {
    const heads = color.group === undefined && names.has(color.name)
    const member = heads ? { ...color, group: color.name, shade: 'DEFAULT' } : color
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
