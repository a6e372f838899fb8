// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromCssVariables, fromTailwind3, type StyleColor } from '../../../core/styleguide/index.js'
import { ColorPage } from '../index.js'

const render = (colors: readonly StyleColor[]) => renderToStaticMarkup(<ColorPage colors={colors} />)
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
const show = (colors: readonly StyleColor[]) => renderInDom(<ColorPage colors={colors} />)
const chipOf = (name: string) => screen.getByRole('link', { name: new RegExp(`^${name} .*#|^${name}$|^${name} `) })
const detailOf = (name: string) =>
  [...document.querySelectorAll('.sw-detail')].find(
    (detail) => detail.querySelector('strong')?.textContent === name,
  ) as HTMLElement
/** Reads as a screen reader does: of a painted text, the text below it. */
const readText = (element: Element) =>
  (element.querySelector('.sw-painted > span') ?? element).textContent.replace(/\s+/g, ' ').trim()
const labels = () => [...document.querySelectorAll('.sw-chip > span')].map(({ textContent }) => textContent)
const copiesIn = (element: HTMLElement) =>
  within(element)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

const error = vi.spyOn(console, 'error')
afterEach(() => {
  cleanup()
  expect(error).not.toHaveBeenCalled()
})

describe('<ColorPage>', () => {
  it('the page shows a message if there are no colors', () => {
    expect(render([])).toBe('<p class="sw-empty">No colors found</p>')
    expect(render(fromTailwind3({ a: 'inherit', b: 'Transparent', c: 'currentColor' }).colors)).toContain(
      'No colors found',
    )
  })

  it('each family is a strip under its name, with the step below each swatch', () => {
    show(fromTailwind3({ black: '#000', red: { 950: '#200', 50: '#fee', 500: '#f00' }, white: '#fff' }).colors)
    const strips = [...document.querySelectorAll('.sw-strip')].map((strip) => [
      strip.querySelector('h2')?.textContent,
      ...[...strip.querySelectorAll('.sw-chip > span')].map(({ textContent }) => textContent),
    ])
    expect(strips).toEqual([
      ['red', '50', '500', '950'],
      ['Single colors', 'black', 'white'],
    ])
    expect(chipOf('red-500').getAttribute('href')).toBe('#color-red-500')
    expect(screen.getByRole('link', { name: 'red' }).getAttribute('href')).toBe('#colors-red')
  })

  it('single colors are no group in the count', () => {
    const [red, sky] = ['f00', '00f'].map((hex) => ({ 50: `#${hex}`, 100: `#${hex}`, 200: `#${hex}` }))
    show(fromTailwind3({ black: '#000', red, sky }).colors)
    expect(screen.getByText(/^7 colors/).textContent).toContain('7 colors in 2 groups')
  })

  it.each<[string, StyleColor, string[]]>([
    [
      'every notation',
      { name: 'red', value: '#e7000b', source: { property: '--red', className: 'bg-red' } },
      ['#e7000b', 'oklch(58.3% 0.239 28.5)', 'var(--red)', 'bg-red'],
    ],
    [
      'the path of the token',
      { name: 'a.b', value: '#fff', source: { token: 'a.b' } },
      ['#fff', 'oklch(100% 0 0)', 'a.b'],
    ],
    ['the hex', { name: 'red', value: 'oklch(63.7% 0.237 25.331)' }, ['oklch(63.7% 0.237 25.331)', '#fb2c36']],
    ['the nearest hex', { name: 'red', value: 'oklch(0.7 0.3 30)' }, ['oklch(0.7 0.3 30)', '≈#ff5843']],
    ['only the value, if only a browser can resolve it', { name: 'red', value: 'var(--red)' }, ['var(--red)']],
    ['nothing, if the color has no value', { name: 'red', value: '', problem: 'is empty' }, []],
  ])('the detail of a color offers a copy of %s', (_, color, copies) => {
    show([color])
    expect(copiesIn(detailOf(color.name))).toEqual(copies)
  })

  it('a swatch is split if modes differ, the present mode above, and the detail shows the value of each mode', () => {
    const css = ':root{--color-a:#fee;--color-b:#111} .dark{--color-a:#300;--color-b:#111}'
    show(fromCssVariables(css).colors)
    expect(screen.getByText(/^2 colors/).textContent).toContain('2 colors, in light and dark')
    const fillsOf = (name: string) =>
      [...chipOf(name).querySelectorAll('rect')].map((rect) => rect.getAttribute('fill'))
    expect([fillsOf('a'), fillsOf('b')]).toEqual([['light-dark(#fee, #300)', 'light-dark(#300, #fee)'], ['#111']])
    expect([...detailOf('a').querySelectorAll('em')].map(({ textContent }) => textContent)).toEqual(['Light', 'Dark'])
  })

  it('up to 40 colors, each swatch has its name, its hex and both modes printed; rows differ by one at most', () => {
    const names = ['paper', 'ink', 'ink-soft', 'line', 'accent', 'accent-strong', 'on-accent', 'deep']
    const declare = (hex: string) => names.map((name) => `--color-${name}:${hex}`).join(';')
    show(fromCssVariables(`:root{${declare('#fbf6ec')}} .dark{${declare('oklch(0.2 0 0)')}}`).colors)
    expect(screen.getByRole('heading', { name: 'Single colors' }).className).toBe('sw-hidden')
    expect(labels()).toEqual(names)
    const chips = [...document.querySelectorAll('.sw-chip')]
    expect(chips[0]?.textContent.replace(/\s+/g, ' ')).toBe('paper #fbf6ec #161616')
    expect(chips[0]?.getAttribute('aria-label')).toBe('paper #fbf6ec #161616')
    expect(chips.map(({ className }) => className)).toEqual(names.map(() => 'sw-chip sw-k4 sw-n4'))
    cleanup()
    show(Array.from({ length: 41 }, (_, index) => ({ name: `c${index}x`, value: '#fbf6ec' })))
    expect(document.querySelector('.sw-chip')?.textContent).toBe('c0x')
  })

  const themes = ['one', 'two', 'three', 'four'].map((theme, i) => `[data-theme=${theme}]{--color-a:#${i}${i}${i}}`)
  it.each<[string, string, string | undefined]>([
    [
      'of which some lack a mode',
      ':root{--color-a:#f00} .dark{--color-a:#300;--color-b:#111} .light{--color-a:#fee;--color-b:#eee}',
      'default, dark, light',
    ],
    ['of five modes', `:root{--color-a:#f00}${themes.join('')}`, 'default, one, two, three'],
    ['of none', ':root{--color-a:#f00} .dark{--color-a:#f00}', undefined],
  ])('the caption names the parts of the split swatches: %s', (_, css, caption) => {
    show(fromCssVariables(css).colors)
    const text = screen.getByText(/^\d colors?/).textContent.replace(' · Which text on which ground', '')
    expect(text.split(' · ')[1]).toBe(caption && `split where modes differ, from the top: ${caption}`)
  })

  it('the detail shows a value for wide gamuts beside the sRGB value', () => {
    const css = ':root{--color-a:#f00} @media (color-gamut: p3){:root{--color-a:color(display-p3 1 0 0)}}'
    show(fromCssVariables(css).colors)
    expect(labels()).toEqual(['a'])
    expect(copiesIn(detailOf('a'))).toContain('P3color(display-p3 1 0 0)')
  })

  const contrastsOf = (name: string) =>
    [...detailOf(name).querySelectorAll('dl:first-of-type')].flatMap((list) =>
      [...list.querySelectorAll('dd')].map(({ textContent }) => textContent.replace('Aa ', '')),
    )

  it.each<[string, string, string[]]>([
    ['white and black', '', ['white 4.47 large', 'black 4.68 AA']],
    ['the grounds of the palette', '--color-paper:#fff', ['paper 4.47 large']],
  ])('contrast is measured on %s', (_, more, contrasts) => {
    show(fromCssVariables(`:root{--color-gray:#777;${more}}`).colors)
    expect(contrastsOf('gray')).toEqual(contrasts)
  })

  it('a color of a large palette is also measured as the ground of white and black', () => {
    show(Array.from({ length: 41 }, (_, index) => ({ name: `n${index}x`, value: '#777' })))
    const titles = [...detailOf('n0x').querySelectorAll('dt')].map(({ textContent }) => textContent)
    expect(titles).toEqual(['As text on', 'As the ground of'])
  })

  it('the form begins with the text that belongs to the page by its name, even if another has more contrast', () => {
    const values = { surface: '#fff', 'on-surface': '#222', primary: '#06c', 'on-primary': '#000' }
    show(Object.entries(values).map(([name, value]) => ({ name, value })))
    const chosen = screen.getAllByRole<HTMLSelectElement>('combobox').map(({ value }) => value)
    expect(chosen).toEqual(['on-surface', 'surface'])
  })

  it('each mode is measured on the ground of that mode', () => {
    const css = ':root{--color-ink:#000;--color-paper:#fff} .dark{--color-ink:#fff;--color-paper:#000}'
    show(fromCssVariables(css).colors)
    expect(contrastsOf('ink')).toEqual(['paper 21.00 AAA', 'paper 21.00 AAA'])
  })

  it('a text on a translucent ground is chosen for what the eye sees, the ground over the page', () => {
    const dark = { background: '#0a0a0a', foreground: '#fafafa', input: '#ffffff26', 'input-foreground': '#fafafa' }
    show(Object.entries(dark).map(([name, value]) => ({ name, value })))
    const row = screen.getAllByRole('row').find(({ textContent }) => textContent?.startsWith('input'))
    expect(row?.querySelector('th .sw-painted > svg')?.getAttribute('color')).toBe('#fafafa')
  })

  it('a large palette shows the pairs that belong together by their names, failing pairs first', () => {
    const pairs = Array.from({ length: 25 }, (_, index) => [
      { name: `n${index}x`, value: '#fff' },
      { name: `on-n${index}x`, value: index === 3 ? '#999' : '#000' },
    ]).flat()
    show(pairs)
    const tiles = [...document.querySelectorAll('.sw-tiles li')]
    expect(tiles.slice(0, 2).map(readText)).toEqual(['Aa on-n3x on n3x 2.8', 'Aa on-n0x on n0x 21.0'])
    expect(tiles.flatMap((tile) => tile.querySelector('s')?.textContent ?? [])).toEqual(['2.8'])
    expect(screen.getByRole('link', { name: 'Which text on which ground' }).getAttribute('href')).toBe(
      '#text-on-ground',
    )
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('a small palette shows each text on each ground, in each mode, and crosses out what fails', () => {
    const css = `:root{--color-paper:#fff;--color-ink:#111;--color-accent:#c34e28;--color-on-accent:#fff}
      .dark{--color-paper:#111;--color-ink:#eee;--color-accent:#f08c63;--color-on-accent:#111}`
    show(fromCssVariables(css).colors)
    const [light, dark] = screen.getAllByRole('table').map((table) =>
      within(table)
        .getAllByRole('row')
        .map((row) => [...row.querySelectorAll('th, td')].map(readText).filter(Boolean)),
    )
    expect(light).toEqual([
      ['ink', 'accent', 'on-accent'],
      ['paper', 'Aa18.8 ink', 'Aa4.7 accent', 'Aa1.0 fails on-accent'],
      ['accent', 'Aa3.9 large ink', 'Aa4.7 on-accent'],
    ])
    expect(dark?.[1]).toEqual(['paper', 'Aa16.2 ink', 'Aa7.7 accent', 'Aa1.0 fails on-accent'])
    expect(document.querySelectorAll('td svg svg path')).toHaveLength(3)
    expect(document.querySelectorAll('td svg svg [text-decoration=underline]')).toHaveLength(4)
  })

  it('problems are shown beside the colors, and no color fetches a resource', () => {
    const colors = [
      ...fromTailwind3({
        a: () => {
          throw new Error('no <theme>')
        },
        b: null,
        c: 12,
      }).colors,
      ...fromCssVariables({ '--color-d': 'initially', '--color-e': 'url(https://evil.test/)' }).colors,
    ]
    const html = render(colors)
    expect(html.match(/sw-problem/g)).toHaveLength(5)
    expect(html).toContain('is a function that threw: no &lt;theme&gt;')
    expect(html).not.toContain('fill="url(')
  })

  it('every swatch has a unique id', () => {
    const names = ['a.b', 'a-b', 'A B', 'a-b-2', '', '__proto__', '🎨', 'é', 'e\u0301', '"><b>']
    const colors = names.map((name) => ({ name, value: 'red' }))
    const ids = idsIn(render([...colors, ...colors]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => id && !/\s/.test(id))).toBe(true)
  })

  it('all texts are escaped, and the page has neither script nor style', () => {
    const hostile = '"><script>alert(1)</script>'
    const html = render([{ name: hostile, value: hostile, group: hostile, alias: hostile, problem: hostile }])
    expect(html).not.toMatch(/<script|<style| style=/)
  })
})
