import { pushTo } from '../values.js'
import type { PaletteColor } from './modes.js'
import { type NameParts, otherNotation, sharedPrefix, splitName } from './names.js'

/** A color within a strip. */
export interface Swatch {
  /** The part of the color's name after the strip's name: `500`. */
  label: string
  color: PaletteColor
  /** The names of the same color in another notation, such as `primary-rgb`. */
  alsoNamed: readonly string[]
}

/** Colors that belong together, shown as touching swatches. */
export interface ColorStrip {
  /** `undefined` for the strip of colors whose family has no other color. */
  name: string | undefined
  /** Whether the colors are steps of one color: numbered, with short labels. */
  isRamp: boolean
  swatches: readonly Swatch[]
}

interface Member extends NameParts {
  color: PaletteColor
}

/** A strip with more colors is divided by the second part of their names, if that makes few groups. */
const longStrip = 12

/**
 * Groups colors by their names: numbered colors into ramps, other colors by the first part of their names. Knows the
 * conventions of Radix Colors (`a3`), Material 3 (`on-`, `-container`), shadcn/ui (`-foreground`), Bootstrap (`-rgb`,
 * `-subtle`) and Primer (`bgColor-`). Strips are in the order of the first colors of their families. The last strip
 * contains the colors whose family has no other color.
 *
 * @example groupColors(mergeModes(fromTailwind3(config).colors).colors)[0] // { name: 'red', isRamp: true, … }
 */
export function groupColors(colors: readonly PaletteColor[]): ColorStrip[] {
  const { members, notations } = findOtherNotations(colors)
  const prefix = sharedPrefix(members.map(({ name }) => name))
  const families = new Map<string, Member[]>()
  for (const color of members) {
    const member = describeMember(color, prefix)
    pushTo(families, member.family, member)
  }
  const toSwatch = (strip: string, { color, segments, step }: Member): Swatch => ({
    label: labelOf(color.name.slice(prefix.length), strip, step ?? segments.at(-1) ?? ''),
    color,
    alsoNamed: notations.get(color.name) ?? [],
  })
  const singles = [...families.values()].filter(({ length }) => length === 1).flat()
  const strips = [...families].flatMap(([family, members]): ColorStrip[] => {
    const divisions = members.length > 1 ? divideFamily(family, members) : []
    return divisions.map(({ members, ...division }) => {
      return { ...division, swatches: members.map((member) => toSwatch(division.name, member)) }
    })
  })
  if (singles.length === 0) return strips
  const swatches = singles.map((member) => ({ ...toSwatch('', member), label: member.color.name.slice(prefix.length) }))
  return [...strips, { name: undefined, isRamp: false, swatches }]
}

function findOtherNotations(colors: readonly PaletteColor[]) {
  const names = new Set(colors.map(({ name }) => name))
  const notations = new Map<string, string[]>()
  const members = colors.filter(({ name }) => {
    const base = name.replace(otherNotation, '')
    const isNotation = base !== name && names.has(base)
    if (isNotation) pushTo(notations, base, name)
    return !isNotation
  })
  return { members, notations }
}

/** Describes a color by its name, or by the group and the shade if the configuration defines them. */
function describeMember(color: PaletteColor, prefix: string): Member {
  const { group, shade } = color.declared
  const parts = splitName(color.name.slice(prefix.length))
  if (!group?.startsWith(prefix) || shade === undefined || parts.step !== undefined) return { color, ...parts }
  const { family, segments } = splitName(group.slice(prefix.length))
  return { color, family, stem: segments.join('-'), step: undefined, segments: [...segments, shade] }
}

interface Division {
  name: string
  isRamp: boolean
  members: readonly Member[]
}

/** Divides the colors of a family into its ramps and the rest. */
function divideFamily(family: string, members: readonly Member[]): Division[] {
  const byStem = new Map<string, Member[]>()
  for (const member of members) if (member.step !== undefined) pushTo(byStem, member.stem, member)
  const ramps = new Map([...byStem].filter(([, steps]) => steps.length > 2))
  const rest = members.filter(({ stem, step }) => step === undefined || !ramps.has(stem))
  // If few colors remain, they join the ramp with the family's name: `red` as the first step, other colors as the last.
  const isRestSmall = ramps.size > 0 && rest.length <= 3
  const mainRamp = isRestSmall ? [...ramps.keys()].find((stem) => stem === family) : undefined
  const divisions: Division[] = Array.from(ramps, ([stem, steps]) => ({
    name: nameOfRamp(stem),
    isRamp: true,
    members: stem === mainRamp ? sortSteps([...steps, ...rest], family) : sortSteps(steps, family),
  }))
  if (mainRamp === undefined && rest.length > 0) divisions.push(...divideRest(family, rest))
  // A translucent ramp comes after its opaque ramp. Short strips come last, to share a line.
  const rankOf = ({ name, isRamp, members }: Division) => {
    if (name === nameOfRamp(`${family}-a`)) return 1
    return isRamp || members.length >= 5 ? 0 : 2
  }
  return divisions.sort((a, b) => rankOf(a) - rankOf(b))
}

function divideRest(family: string, rest: readonly Member[]): Division[] {
  const whole = { name: family, isRamp: false, members: rest }
  const bySecond = new Map<string, Member[]>()
  for (const member of rest) pushTo(bySecond, member.segments.slice(0, 2).join('-'), member)
  if (rest.length <= longStrip || bySecond.size > rest.length / 3 || bySecond.size < 2) return [whole]
  const loose = [...bySecond.values()].filter((members) => members.length === 1).flat()
  const divided = [...bySecond].filter(([, members]) => members.length > 1)
  return [
    ...(loose.length > 0 ? [{ name: family, isRamp: false, members: loose }] : []),
    ...divided.map(([name, members]) => ({ name, isRamp: false, members })),
  ]
}

/** Radix Colors marks the translucent version of a ramp with an `a` before the number. */
function nameOfRamp(stem: string): string {
  return stem.replace(/-a$/, ' alpha')
}

function sortSteps(members: readonly Member[], family: string): Member[] {
  const rankOf = ({ step, stem, segments }: Member) => {
    if (step !== undefined) return Number(step.replace(/^a/i, ''))
    return (stem === family && segments.length === 1) || segments.at(-1) === 'DEFAULT' ? -1 : Number.POSITIVE_INFINITY
  }
  return [...members].sort((a, b) => rankOf(a) - rankOf(b) || 0)
}

function labelOf(name: string, strip: string, last: string): string {
  const start = strip.replace(/ alpha$/, '')
  const isWithin = start !== '' && name.startsWith(start) && /^[-._/\s]./.test(name.slice(start.length))
  if (isWithin) return name.slice(start.length + 1)
  if (name === start) return name.split(/[-._/\s]/).at(-1) ?? name
  // The text on a color, `on-primary-container`, is `on-container` in the strip of that color.
  return /^a?\d+$/i.test(last) ? last : name.replace(`-${start}`, '')
}
