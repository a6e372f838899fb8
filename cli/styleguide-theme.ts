import {
  findGrounds,
  findPairs,
  type MeasuredPair,
  measureOn,
  type PaletteColor,
  valueIn,
} from '../core/styleguide/internal.js'
import { readTokens, type Token, toPalette } from './measure-tokens.js'

const accents = ['accent', 'primary', 'brand', 'link']
const family = /^(?:[\w\s"',-]*(?:serif|system-ui)|var\(--[\w-]+\))$/

/**
 * Returns the declarations that give the frame of the styleguide the colors and the font of a site, each with the custom
 * property that it is copied from. If the site has one scheme, the other swaps background and text. Colors that cannot
 * be read on the background are left out.
 *
 * @param css A stylesheet with custom properties.
 * @example findTheme(':root { --paper: #fff; --ink: #111 }')[0] // '--sw-bg: light-dark(#fff, #111); /* --paper *\/'
 */
export function findTheme(css: string): string[] {
  const tokens = readTokens(css)
  const font = tokens.find(({ name, value }) => /\b(?:sans|body)\b/.test(name) && family.test(value))
  // The variable of a font of `next/font` may be declared for the body alone.
  const stack = font?.value.replace(/\s+/g, ' ').replace(/^(var\(.*)\)$/, '$1, system-ui)')
  return [...findColors(tokens), ...(font ? [`--sw-sans: ${stack}; /* ${font.name} */`] : [])]
}

function findColors(tokens: readonly Token[]): string[] {
  const palette = toPalette(tokens)
  const [page] = findGrounds(palette)
  const pair = findPairs(palette).find(({ ground, isFailing }) => ground.name === page?.name && !isFailing)
  const [own, ...others] = pair?.modes ?? []
  if (!pair || !own) return []
  const linkOn = (color: PaletteColor, { mode, ground }: MeasuredPair) => {
    const value = valueIn(color, palette.modes, mode) ?? ''
    return contrast(value, ground) >= 4.5 ? value : undefined
  }
  const named = accents.flatMap((name) => palette.colors.filter((color) => color.name === name))
  const from = { bg: pair.ground, text: pair.text, accent: named.find((color) => linkOn(color, own)) ?? pair.text }
  const schemes = [own, ...(others.length > 0 ? others : [{ ...own, text: own.ground, ground: own.text }])]
    .sort((a, b) => contrast('#000', b.ground) - contrast('#000', a.ground))
    .map((scheme) => ({ bg: scheme.ground, text: scheme.text, accent: linkOn(from.accent, scheme) ?? scheme.text }))
  return (['bg', 'text', 'accent'] as const).map((part) => {
    const [light, dark] = [schemes[0]?.[part], schemes.at(-1)?.[part]]
    const value = light === dark ? light : `light-dark(${light}, ${dark})`
    return `--sw-${part}: ${value}; /* ${from[part].declared.source?.property} */`
  })
}

const contrast = (color: string, ground: string) => measureOn(color, ground)?.ratio ?? 0
