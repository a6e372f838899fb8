// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import type { SpacingScale } from '../../../core/spacing/index.js'
import { SpacingPage } from '../index.js'

const render = (scale?: SpacingScale<string, string>) => renderToStaticMarkup(<SpacingPage scale={scale} />)
const textOf = (scale?: SpacingScale<string, string>) =>
  renderInDom(<SpacingPage scale={scale} />).container.textContent ?? ''

afterEach(cleanup)

describe('<SpacingPage>', () => {
  it('the scale is shown in ascending order, with rem, pixels and custom property', () => {
    const scale = render().split('<h2')[1] ?? ''
    expect([...scale.matchAll(/<strong>(\w+)/g)].map(([, name]) => name)).toEqual([
      ...['extraSmall', 'small', 'base', 'large', 'extraLarge'],
    ])
    expect(scale).toContain('<code>.5rem</code> · 8 px</div><code>--sw-extra-small</code>')
    expect(scale).toContain('font-size="var(--sw-extra-small, .5rem)"')
  })

  it('each of the 15 sizes is drawn as margin and as padding, with its prop', () => {
    const text = textOf()
    for (const size of ['ExtraSmall', 'Small', 'Base', 'Large', 'ExtraLarge']) {
      const name = size.charAt(0).toLowerCase() + size.slice(1)
      for (const value of [name, `top${size}`, `bottom${size}`]) {
        expect(text).toContain(`marginXs="${value}"`)
        expect(text).toContain(`paddingXs="${value}"`)
      }
    }
  })

  it('each breakpoint has a table of props and classes', () => {
    const html = render()
    expect(html).toContain('<th scope="col">marginMd</th><th scope="col">paddingMd</th>')
    expect(html).toContain('<th scope="row">topLarge</th><td>sw-large-md-mt</td><td>sw-large-md-pt</td>')
    renderInDom(<SpacingPage />)
    // The tables are in closed <details>, and therefore hidden.
    const tables = screen.getAllByRole('table', { hidden: true })
    expect(tables).toHaveLength(6)
    const md = tables[2] as HTMLElement
    expect(within(md).getByRole('columnheader', { name: 'paddingMd', hidden: true })).toBeDefined()
    expect(within(md).getByRole('cell', { name: 'sw-large-md-pt', hidden: true })).toBeDefined()
  })

  it('the page shows how a wider breakpoint overrides one side', () => {
    expect(textOf()).toContain('With marginXs="extraLarge" marginMd="topExtraSmall" the top is short from 48rem up')
  })

  it.each<[string, SpacingScale<string, string>, string[]]>([
    ['one breakpoint', { breakpoints: { all: '0' } }, ['scale', 'sizes', 'props-and-classes']],
    ['one size', { sizes: { one: '1rem' } }, ['scale', 'sizes', 'props-and-classes']],
    [
      'two breakpoints and two sizes',
      { breakpoints: { a: '0', b: '1px' }, sizes: { c: '1px', d: '2px' } },
      ['scale', 'sizes', 'props-and-classes'],
    ],
    [
      'three breakpoints',
      { breakpoints: { a: '0', b: '1px', c: '2px' } },
      ['scale', 'sizes', 'breakpoints', 'props-and-classes'],
    ],
  ])('a scale with %s has only the sections that it needs', (_, scale, headings) => {
    renderInDom(<SpacingPage scale={scale} />)
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ id }) => id)).toEqual(headings)
  })

  it('formulas are drawn as lengths', () => {
    const scale = { sizes: { fluid: 'clamp(1rem, 4vw, 3rem)', sum: 'calc(1rem + 1vw)' } }
    const html = render(scale)
    expect(html).toContain('font-size="var(--sw-fluid, clamp(1rem, 4vw, 3rem))"')
    expect(textOf(scale)).toContain('16 px at 390, 30.7 at 768, 48 at 1280clamp(1rem, 4vw, 3rem)')
    expect(html).not.toMatch(/<script|<style| style=/)
  })

  it('the option spacing is shown in ascending order, alone or above the layout scale', () => {
    const spacing = [
      { name: 'wide', value: '4rem' },
      { name: 'thin', value: '2px' },
      { name: 'thin', value: '3px', mode: 'dark' },
    ]
    const names = (scale?: SpacingScale<string, string>) => {
      cleanup()
      renderInDom(<SpacingPage spacing={spacing} scale={scale} />)
      expect(screen.getByRole('region', { name: 'Scale' }).textContent).toBe('Scalethin 2px wide 4rem · 64 px')
      return screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    }
    expect(names()).toEqual(['Scale'])
    expect(names({ sizes: { one: '1rem' } })).toEqual(['Scale', 'Layout scale', 'Sizes', 'Props and classes'])
    expect(renderToStaticMarkup(<SpacingPage spacing={[]} />)).toBe('<p class="sw-empty">No spacing found</p>')
  })

  it('SpacingPage throws for a scale that the stylesheet rejects', () => {
    expect(() => render({ sizes: { a: 'red' } })).toThrow('sizes.a: expected a length')
  })
})
