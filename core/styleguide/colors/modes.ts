import { pushTo } from '../values.js'
import { type StyleColor, schemeColors } from './style-color.js'

/** The value that a color has in one mode. */
export interface Tone {
  /** The mode's name, such as `dark`; `undefined` if the palette has no modes. */
  mode: string | undefined
  /** The CSS color. Empty for an invalid color. */
  value: string
  /** The value for screens that show more than sRGB, if the palette declares it separately. */
  wide?: string
}

/** A color by name, with its values. */
export interface PaletteColor {
  name: string
  /** The first declaration, for its group, shade, alias and problem. */
  declared: StyleColor
  /** One tone for each mode that the color is declared in, and at least one tone. */
  tones: readonly Tone[]
}

/** The colors of a style configuration by name, and the modes in which they have values. */
export interface Palette {
  colors: readonly PaletteColor[]
  /** The document's own mode, then the other modes in the order of their first colors. Empty if there are no modes. */
  modes: readonly string[]
}

interface Declaration {
  color: StyleColor
  mode: string | undefined
  value: string
  isWide: boolean
}

const wideGamut = /(?:^|,\s*)color-gamut:\s*(?:p3|rec2020)/i

/**
 * Groups colors by name, each with its values in all modes. `light-dark()` is split into the modes `light` and `dark`.
 * A mode for screens with a wide gamut adds a `wide` value to another mode's value. If there is a dark mode and no
 * light mode, the document's own values are light.
 *
 * @example
 * mergeModes([{ name: 'ink', value: '#111' }, { name: 'ink', value: '#eee', mode: 'dark' }])
 * // { modes: ['light', 'dark'], colors: [{ name: 'ink', tones: [{ mode: 'light', … }, { mode: 'dark', … }], … }] }
 */
export function mergeModes(colors: readonly StyleColor[]): Palette {
  const declarations = colors.flatMap(splitDeclaration)
  const declared = new Set(declarations.map(({ mode }) => mode))
  const documentMode = nameOfDocumentMode(declared)
  const modes = declared.has(undefined) && documentMode !== undefined ? [documentMode, ...declared] : [...declared]
  return {
    colors: mergeDeclarations(declarations, documentMode),
    modes: [...new Set(modes)].filter((mode) => mode !== undefined),
  }
}

/** Returns the color's value in a mode. A mode that does not declare the color has the document's own value. */
export function valueIn({ tones }: PaletteColor, modes: readonly string[], mode: string | undefined) {
  return (tones.find((tone) => tone.mode === mode) ?? tones.find((tone) => tone.mode === modes[0]))?.value
}

/**
 * Returns the color's value in each of the modes, or a single value if it is the same in all modes.
 */
export function valuesByMode(color: PaletteColor, modes: readonly string[]): readonly string[] {
  const values = modes.flatMap((mode) => valueIn(color, modes, mode) ?? [])
  return new Set(values).size > 1 ? values : [color.tones[0]?.value ?? '']
}

function splitDeclaration(color: StyleColor): Declaration[] {
  const isWide = wideGamut.test(color.mode ?? '')
  const mode = color.mode?.replace(wideGamut, '') || undefined
  return schemeColors(color.value).map(({ scheme, value }) => ({ color, mode: mode ?? scheme, value, isWide }))
}

function nameOfDocumentMode(declared: ReadonlySet<string | undefined>): string | undefined {
  if (declared.size < 2) return undefined
  const names = new Set(Array.from(declared, (mode) => mode?.toLowerCase()))
  return names.has('dark') && !names.has('light') ? 'light' : 'default'
}

type Merged = PaletteColor & { tones: Tone[] }

function mergeDeclarations(declarations: readonly Declaration[], documentMode: string | undefined): PaletteColor[] {
  const byName = new Map<string, Merged[]>()
  const merged: Merged[] = []
  // Wide values come last, since the files of a palette may be read in any order.
  const ordered = [...declarations].sort((a, b) => Number(a.isWide) - Number(b.isWide))
  for (const { color, mode = documentMode, value, isWide } of ordered) {
    const same = byName.get(color.name) ?? []
    const base = isWide && same.findLast(({ tones }) => tones.some((tone) => tone.mode === mode))
    const free = same.find(({ tones }) => !tones.some((tone) => tone.mode === mode))
    if (base) Object.assign(base.tones.find((tone) => tone.mode === mode) as Tone, { wide: value })
    else if (free) free.tones.push({ mode, value })
    else {
      const created = { name: color.name, declared: color, tones: [{ mode, value }] }
      pushTo(byName, color.name, created)
      merged.push(created)
    }
  }
  return merged
}
