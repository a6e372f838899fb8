// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen, within } from '@testing-library/react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromCssVariables, fromTailwind3, type StyleColor } from '../../../core/styleguide/index.js'
import { ColorPage, type ColorPageProps } from '../index.js'

const render = (colors: readonly StyleColor[], layout?: ColorPageProps['layout']) =>
  renderToStaticMarkup(<ColorPage colors={colors} layout={layout} />)
const namesIn = (html: string) => [...html.matchAll(/sw-swatch-name"[^>]*>([^<]*)</g)].map(([, name]) => name)
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)

const error = vi.spyOn(console, 'error')
afterEach(() => {
  cleanup()
  expect(error).not.toHaveBeenCalled()
})

describe('<ColorPage>', () => {
  it.each(['grid', 'grouped', undefined] as const)('shows a message if there are no colors (%s)', (layout) => {
    expect(render([], layout)).toBe('<p class="sw-empty">No colors found</p>')
    expect(render(fromTailwind3({ a: 'inherit', b: 'Transparent', c: 'currentColor' }).colors, layout)).toContain(
      'No colors found',
    )
  })

  it('paints, names and measures a color', () => {
    expect(render(fromTailwind3({ red: { 500: 'oklch(63.7% 0.237 25.331)' } }).colors).split('</fieldset>')[1]).toBe(
      '<ul class="sw-colors"><li class="sw-swatch" id="color-red-500">' +
        '<svg class="sw-paint" width="100%" height="80" fill="none" aria-hidden="true">' +
        '<rect width="110%" height="110%" fill="oklch(63.7% 0.237 25.331)"></rect></svg>' +
        '<button class="sw-copy" type="button"><span>Copy</span> <span class="sw-hidden">red-500</span></button>' +
        '<a class="sw-anchor sw-swatch-name" href="#color-red-500">red-500</a>' +
        '<code>oklch(63.7% 0.237 25.331)</code><code>#fb2c36</code><dl class="sw-contrast">' +
        '<div><dt><span class="sw-hidden">Contrast on </span>white</dt><dd>3.81 <abbr>AA large</abbr></dd></div>' +
        '<div><dt><span class="sw-hidden">Contrast on </span>black</dt><dd>5.49 <abbr>AA</abbr></dd></div>' +
        '</dl></li></ul>',
    )
    expect(render(fromTailwind3({ red: '#F00' }).colors).match(/<code>/g)).toHaveLength(1)
  })

  it('measures a color of light-dark() in both schemes', () => {
    renderInDom(<ColorPage colors={[{ name: 'ink', value: 'light-dark(#000, oklch(100% 0 0))' }]} />)
    const lists = within(screen.getByRole('listitem'))
      .getAllByText('white')
      .map((term) => term.closest('dl'))
    const textsOf = (list: Element | null, role: 'term' | 'definition') =>
      within(list as HTMLElement)
        .getAllByRole(role)
        .map(({ textContent }) => textContent.trim())
    expect(
      lists.map((list) => [list?.dataset.scheme, ...textsOf(list, 'term'), ...textsOf(list, 'definition')]),
    ).toEqual([
      ['light scheme', 'Contrast on white', 'Contrast on black', '21.00 AAA', '1.00'],
      ['dark scheme', 'Contrast on white', 'Contrast on black', '1.00', '21.00 AAA'],
    ])
  })

  it('measures on a custom background', () => {
    const measured = renderToStaticMarkup(
      <ColorPage colors={fromTailwind3({ gray: '#777' }).colors} background="#fff" />,
    )
    expect(measured).toContain(
      '<div class="sw-custom"><dt><span class="sw-hidden">Contrast on </span>#fff</dt><dd>4.47 <abbr>AA large</abbr></dd>',
    )
    expect(measured).toContain('<option value="#fff">#fff</option><option value="#777">gray</option>')
    const again = fromTailwind3({ gray: '#777' }).colors
    const on = (background?: string) =>
      renderToStaticMarkup(<ColorPage colors={again} background={background} />).match(/<dd>[\d.]+/g)
    expect([on('#777'), on(), on('#000')]).toEqual([
      ['<dd>4.47', '<dd>4.68', '<dd>1.00'],
      ['<dd>4.47', '<dd>4.68'],
      ['<dd>4.47', '<dd>4.68', '<dd>4.68'],
    ])
  })

  it.each(['', 'nothing', 'var(--paper)', 'rgb(0 0 0 / 50%)'])('throws for the background %j', (background) => {
    expect(() => renderToStaticMarkup(<ColorPage colors={[]} background={background} />)).toThrow(
      new TypeError(
        `background: expected an opaque color such as '#f6f1e6', got '${background}'; var() and the like cannot be resolved on the server`,
      ),
    )
  })

  it('renders a flat list in the order of the configuration, or groups with sorted shades', () => {
    const colors = fromTailwind3({
      black: '#000',
      red: { 950: '#200', DEFAULT: '#f00', 50: '#fee' },
      white: '#fff',
    }).colors
    const names = () => screen.getAllByRole('listitem').map((swatch) => within(swatch).getByRole('link').textContent)
    const { rerender } = renderInDom(<ColorPage colors={colors} />)
    expect(names()).toEqual(['black', 'red-50', 'red-950', 'red', 'white'])
    expect(screen.queryByRole('heading')).toBeNull()
    rerender(<ColorPage colors={colors} layout="grouped" />)
    expect(names()).toEqual(['black', 'white', 'red', 'red-50', 'red-950'])
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ id }) => id)).toEqual(['colors', 'colors-red'])
    expect(screen.getAllByRole('region').map(({ className }) => className)).toEqual(['sw-section', 'sw-section'])
    const heading = screen.getByRole('heading', { name: 'red' })
    expect(within(heading).getByRole('link').getAttribute('href')).toBe('#colors-red')
  })

  it.each(['grid', 'grouped'] as const)('shows the colors of each mode under its name (%s)', (layout) => {
    const css = ':root{--color-red-50:#fee;--color-ink:#111} .dark{--color-red-50:#300;--color-ink:#eee}'
    renderInDom(<ColorPage colors={fromCssVariables(css).colors} layout={layout} />)
    const sections = screen.queryAllByRole('region').map((section) => [
      within(section).getByRole('heading').textContent,
      ...within(section)
        .getAllByRole('listitem')
        .map(({ id }) => id),
    ])
    expect(sections).toEqual(
      layout === 'grid'
        ? [['dark', 'color-dark-red-50', 'color-dark-ink']]
        : [
            ['red', 'color-red-50'],
            ['Single colors', 'color-ink'],
            ['dark · red', 'color-dark-red-50'],
            ['dark', 'color-dark-ink'],
          ],
    )
    expect(
      screen
        .getAllByRole('listitem')
        .map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(['color-red-50', 'color-ink'])
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'white and black',
      'red-50',
      'ink',
      'red-50 (dark)',
      'ink (dark)',
    ])
  })

  it('keeps a label that the script wrote before React hydrates', () => {
    const page = (
      <ColorPage colors={fromTailwind3({ a: 'var(--a)', b: 'light-dark(var(--b), red)', c: 'red' }).colors} />
    )
    const container = document.body.appendChild(document.createElement('div'))
    container.innerHTML = renderToString(page)
    const labels = container.querySelectorAll('.sw-painted')
    expect(labels).toHaveLength(2)
    for (const label of labels) label.textContent = '#123456'
    renderInDom(page, { container, hydrate: true })
    expect(Array.from(container.querySelectorAll('.sw-painted'), ({ textContent }) => textContent)).toEqual([
      '#123456',
      '#123456',
    ])
  })

  it('shows problems beside the colors', () => {
    const html = render([
      ...fromTailwind3({
        a: () => {
          throw new Error('no <theme>')
        },
        b: null,
        c: 12,
      }).colors,
      ...fromCssVariables({
        '--color-d': 'initially',
        '--color-e': 'url(https://evil.test/)',
        '--color-f': 'var(--f)',
        '--f': 'var(--color-f)',
      }).colors,
    ])
    expect(namesIn(html)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(html.match(/sw-problem/g)).toHaveLength(6)
    expect(html).toContain('is a function that threw: no &lt;theme&gt;')
    // Unknown values are painted, since the browser may know them, but none that would fetch a resource.
    expect([...html.matchAll(/<rect[^>]* fill="([^"]*)"/g)].map(([, fill]) => fill)).toEqual(['12', 'initially'])
  })

  it('shows aliases and colors outside sRGB', () => {
    expect(render(fromCssVariables({ '--color-a': '#06c', '--color-b': 'var(--color-a)' }).colors)).toContain(
      '<p class="sw-note">alias of a</p>',
    )
    expect(render(fromTailwind3({ a: 'color(display-p3 1 0 0)' }).colors)).toContain('outside sRGB')
    expect(render(fromTailwind3({ a: 'var(--brand)' }).colors)).not.toMatch(/outside|<dl/)
  })

  it('gives every swatch a unique id', () => {
    const names = ['a.b', 'a-b', 'A B', 'a-b-2', '', '__proto__', '🎨', 'é', 'e\u0301', '"><b>']
    const colors = names.map((name) => ({ name, value: 'red' }))
    for (const layout of ['grid', 'grouped'] as const) {
      const ids = idsIn(render([...colors, ...colors], layout))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.every((id) => id && !/\s/.test(id))).toBe(true)
    }
    expect(idsIn(render(colors)).slice(0, 4)).toEqual(['color-a-b', 'color-a-b-2', 'color-a-b-3', 'color-a-b-2-2'])
  })

  it('shows 5,000 colors, even with the same name', () => {
    const same = Array.from({ length: 5_000 }, () => ({ name: 'same', value: '#fff' }))
    expect(new Set(idsIn(render(same, 'grouped'))).size).toBe(5_001)
  })

  it('escapes everything, and has neither script nor style', () => {
    const hostile = '"><script>alert(1)</script>'
    const html = render(
      [{ name: hostile, value: hostile, group: hostile, alias: hostile, problem: hostile }],
      'grouped',
    )
    expect(html).not.toMatch(/<script|<style| style=/)
  })

  it('accepts no other layout', () => {
    // @ts-expect-error there is no such layout
    expect(<ColorPage colors={[]} layout="list" />).toBeDefined()
  })
})
