import { describe, expect, it } from 'vitest'
import { measureTokens } from './measure-tokens.js'

const tokens = `:root {
  --color-ink: light-dark(#241a13, #ece2d2);
  --color-accent: #7d2c1b;
  --accent-rgb: 125 44 27;
  --size-text: clamp(1rem, 2vw, 1.25rem);
  --text-sm: 0.875rem;
  --space-1: 0.5rem;
  --space-2: 1rem;
  --wide: min(90rem, 100% - 2rem);
  --serif: Georgia, serif;
}`
const measure = (css: string) => measureTokens(new Map([['a.css', css]]), tokens)
const read = (declaration: string) => {
  const { shares, strays } = measure(`a { ${declaration} }`)
  return [
    ...shares.flatMap(({ kind, tokens }) => Array.from({ length: tokens }, () => kind)),
    ...strays.map(({ value }) => value),
  ]
}

describe('tokens and stray values', () => {
  it.each<[string, string[]]>([
    ['color: var(--color-ink)', ['colors']],
    ['color: var(--unknown)', []],
    ['color: var(--unknown, #123)', []],
    ['color: #241a13', ['#241a13']],
    ['COLOR: RGB(36 26 19)', ['RGB(36 26 19)']],
    ['color: currentColor; background: transparent; fill: #0000; stroke: none; stroke: inherit', []],
    ['color: CanvasText', []],
    ['border: 1px solid red', ['red']],
    ['background: url("red.png") var(--color-accent) /* #123 */', ['colors']],
    ['background: url(data:image/svg+xml,%3Csvg fill=%23fff%3E)', []],
    ['background: linear-gradient(90deg, #f9a 10%, var(--color-ink))', ['colors', '#f9a']],
    ['box-shadow: 0 1px 2px rgb(0 0 0 / 20%), 0 0 0 1px var(--color-ink)', ['colors', 'rgb(0 0 0 / 20%)']],
    ['color: color-mix(in oklab, var(--color-ink) 40%, transparent)', ['colors']],
    ['color: color-mix(in oklab, currentcolor 40%, transparent)', []],
    ['color: color-mix(in oklab, red, blue)', ['color-mix(in oklab, red, blue)']],
    ['color: light-dark(#fff, oklch(0.2 0 0))', ['#fff', 'oklch(0.2 0 0)']],
    ['color: rgb(var(--accent-rgb) / 50%)', ['colors']],
    ['color: rgb(from #123 r g b / 50%)', ['rgb(from #123 r g b / 50%)']],
    ['color: rgb(from currentcolor r g b / 50%)', []],
    ['--card: #fff', ['#fff']],
    ['--color-ink: #fff', []],
    ['--tw-ring-offset-color: #fff', []],
    ['animation-name: red; transition: color 1s', []],
    ['font-size: var(--size-text)', ['sizes']],
    ['font-size: 18px', ['18px']],
    ['font-size: 1.2em; font-size: 80%; font-size: larger; font-size: 0', []],
    ['font: 400 var(--text-sm) / 20px var(--serif)', ['sizes']],
    ['font: italic 500 clamp(1rem, 4vw, 3rem)/1.2 "A 9px", serif', ['clamp(1rem, 4vw, 3rem)']],
    ['margin: 0 auto; padding: 10% 1em', []],
    ['margin: calc(-1 * var(--space-2)) 13px', ['spacings', '13px']],
    ['padding-inline: max(var(--space-2), 50vw - 45rem)', ['spacings']],
    ['margin-inline: calc((100% - min(52rem, 92vw)) / 2)', ['calc((100% - min(52rem, 92vw)) / 2)']],
    ['margin: calc(100% * 1.5)', []],
    ['gap: 1rem var(--space-1); row-gap: 3px; grid-gap: 4px', ['spacings', '1rem', '3px', '4px']],
    ['padding: var(--other, 4px)', []],
    ['margin: var(--color-ink)', []],
    ['inline-size: 12px; inset: 4px; border-width: 1px; line-height: 20px', []],
    ['color: #fff !important', ['#fff']],
  ])('the declaration %s has the values %j', (declaration, expected) => expect(read(declaration)).toEqual(expected))
})

describe('the nearest token', () => {
  it.each<[string, string, string]>([
    ['color: #241a13', '--color-ink', 'ΔE 0'],
    ['color: #ece2d2', '--color-ink', 'ΔE 0'],
    ['color: #7e2c1b', '--color-accent', 'ΔE 0.2'],
    ['color: rgb(125 44 27 / 50%)', '--color-accent', 'ΔE 50'],
    ['color: rgb(from #7e2c1b r g b)', '--color-accent', 'ΔE 0.2'],
    ['font-size: 15px', '--text-sm', '1 px'],
    ['font-size: 1.25rem', '--size-text', '0 px'],
    ['margin: -1rem', '--space-2', '0 px'],
    ['margin: 14px', '--space-2', '2 px'],
    ['margin: clamp(1rem, 1vw, 2rem)', '--space-2', '0 px'],
    ['margin: calc(100% - 2px)', '', ''],
  ])('the nearest token to %s is %s', (declaration, token, difference) => {
    const [stray] = measure(`a { ${declaration} }`).strays
    expect([stray?.token, stray?.difference]).toEqual([token, difference])
  })

  it('a font size is a candidate for a distance only if the site uses it as a distance', () => {
    expect(measure('a { margin: 14px }').strays[0]?.token).toBe('--space-2')
    expect(measure('a { margin: 14px; padding: var(--text-sm) }').strays[0]?.token).toBe('--text-sm')
  })
})

it('a stray value has its file, line and column', () => {
  const css =
    '@import "x";\n.a {\n  color: red;\n  &:hover { fill: #123 }\n}\n@media (width > 1px) {\n\n\n .b\\[\\#123\\] { color: #123; } }'
  expect(measure(css).strays.map(({ place, value }) => `${place} ${value}`)).toEqual([
    'a.css:3:3 red',
    'a.css:4:13 #123',
    'a.css:9:16 #123',
  ])
})

it('measureTokens takes linear time', () => {
  for (const piece of ['a{color:#fff}', 'a{color:rgb(', '\n', 'a{margin:1px '])
    expect(measure(piece.repeat(10_000)).strays.length).toBeLessThan(10_001)
})
