// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import type { SpacingScale } from '../../../core/spacing/index.js'
import { SpacingPage } from '../index.js'

const render = (scale?: SpacingScale<string, string>) => renderToStaticMarkup(<SpacingPage scale={scale} />)
const textOf = (scale?: SpacingScale<string, string>) =>
  renderInDom(<SpacingPage scale={scale} />).container.textContent ?? ''

afterEach(cleanup)

describe('<SpacingPage>', () => {
  it('the scale is shown in ascending order, with pixels and custom property', () => {
    const scale = render().split('<h2')[1] ?? ''
    expect([...scale.matchAll(/<strong>(\w+)/g)].map(([, name]) => name)).toEqual([
      ...['extraSmall', 'small', 'base', 'large', 'extraLarge'],
    ])
    expect(scale).toContain(
      '<div>8\u00a0px</div> <button class="sw-copy" type="button"><code>var(--sw-extra-small)</code>',
    )
    expect(scale).toContain('font-size="var(--sw-extra-small, .5rem)"')
  })

  it('each of the 15 sizes is listed with its prop', () => {
    const text = textOf()
    for (const size of ['ExtraSmall', 'Small', 'Base', 'Large', 'ExtraLarge']) {
      const name = size.charAt(0).toLowerCase() + size.slice(1)
      for (const value of [name, `top${size}`, `bottom${size}`]) expect(text).toContain(`marginXs="${value}"`)
    }
  })

  it('each breakpoint is listed with its width and its props for margin and padding', () => {
    const text = textOf({ breakpoints: { all: '0', wide: '48rem' } })
    expect(text).toContain('all widthsmarginAllpaddingAll48rem, 768\u00a0pxmarginWidepaddingWide')
  })

  it('formulas are drawn as lengths', () => {
    const scale = { sizes: { fluid: 'clamp(1rem, 4vw, 3rem)', sum: 'calc(1rem + 1vw)' } }
    const html = render(scale)
    expect(html).toContain('font-size="var(--sw-fluid, clamp(1rem, 4vw, 3rem))"')
    expect(textOf(scale)).toContain('fluid 16–48\u00a0px var(--sw-fluid)')
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
      const steps = [...(document.querySelector('.sw-lines')?.children ?? [])].map(({ textContent }) => textContent)
      expect(steps).toEqual(['thin 2\u00a0px 2px', 'wide 64\u00a0px 4rem'])
      return screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
    }
    expect(names()).toEqual([])
    expect(names({ sizes: { one: '1rem' } })).toEqual(['Layout scale', 'Sizes', 'Breakpoints'])
    expect(renderToStaticMarkup(<SpacingPage spacing={[]} />)).toBe('<p class="sw-empty">No spacing found</p>')
  })

  it('a unit such as --spacing of Tailwind 4 is shown as its multiples, each with what to copy', () => {
    renderInDom(<SpacingPage spacing={[{ name: 'spacing', value: '0.25rem', source: { property: '--spacing' } }]} />)
    const steps = screen.getAllByRole('listitem')
    expect(steps.map((step) => step.querySelector('strong')?.textContent).join(' ')).toBe('1 2 3 4 6 8 12 16 24')
    expect(steps[4]?.textContent).toBe('6 24\u00a0px calc(var(--spacing) * 6)')
    expect(steps[4]?.querySelector('svg')?.getAttribute('font-size')).toBe('calc(0.25rem * 6)')
    cleanup()
    renderInDom(<SpacingPage spacing={[{ name: 'gap', value: '1rem' }]} />)
    expect(screen.getByRole('listitem').textContent).toBe('gap 16\u00a0px 1rem')
  })

  it('a prefix that all names share is shown once, in the code, and the first sentence has the range', () => {
    const spacing = ['space-4', 'space-8', 'space'].map((name, index) => {
      return { name, value: ['16px', '32px', 'clamp(4rem, 9vw, 8rem)'][index] ?? '', source: { property: `--${name}` } }
    })
    renderInDom(<SpacingPage spacing={spacing} />)
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...['4 16\u00a0px var(--space-4)', '8 32\u00a0px var(--space-8)', 'space 64–115\u00a0px var(--space)'],
    ])
    expect(screen.getByText('3 steps, 16 to 115 px, in true size.')).toBeDefined()
    cleanup()
    renderInDom(<SpacingPage spacing={[{ name: 'measure', value: '60ch' }]} />)
    expect(screen.getByText('1 step, in true size.')).toBeDefined()
  })

  it('a long scale is shown as bars in true size, hollow where negative, and lighter where it grows with the window', () => {
    const spacing = [
      ...Array.from({ length: 10 }, (_, index) => ({ name: `${index}`, value: `${index}rem` })),
      { name: 'back', value: '-8px', source: { property: '--space-back' } },
      { name: 'fluid', value: 'clamp(1rem, 4vw, 3rem)' },
      { name: 'far', value: '480px' },
    ]
    renderInDom(<SpacingPage spacing={spacing} />)
    const bars = new Map(
      [...document.querySelectorAll('.sw-bars li')].map((item) => [
        item.querySelector('strong')?.textContent,
        [item.textContent, ...Array.from(item.querySelectorAll('rect'), (bar) => bar.getAttribute('width'))],
      ]),
    )
    expect(bars.size).toBe(13)
    expect(bars.get('back')).toEqual(['back -8\u00a0px var(--space-back)', '8'])
    expect(bars.get('fluid')).toEqual(['fluid 16–48\u00a0px clamp(1rem, 4vw, 3rem)', '48', '16'])
    expect(bars.get('far')).toEqual(['far 480\u00a0px 480px', '480'])
    expect(document.querySelectorAll('.sw-bars [fill=none][stroke]')).toHaveLength(1)
  })

  it('a long scale is grouped by the beginning of its names, words apart from numbers', () => {
    const values = (prefix: string, ...steps: (number | string)[]) =>
      steps.map((step, index) => ({ name: `${prefix}${step}`, value: `${index}ch` }))
    renderInDom(
      <SpacingPage
        spacing={[
          ...values('size-', 1, 2, 3, 'xs', 'sm', 'md'),
          ...values('size-fluid-', 1, 2, 3),
          ...values('', '0.5', 1, '1.5'),
          { name: 'gap-page', value: '9ch' },
        ]}
      />,
    )
    const groups = screen
      .getAllByRole('region')
      .map((group) => [
        group.querySelector('h2')?.textContent,
        [...group.querySelectorAll('strong')].map(({ textContent }) => textContent).join(' '),
      ])
    expect(new Map(groups as [string, string][])).toEqual(
      new Map([
        ['size', '1 2 3'],
        ['size, named', 'xs sm md'],
        ['size-fluid', '1 2 3'],
        ['others', '0.5 1 1.5 gap-page'],
      ]),
    )
  })

  it('SpacingPage throws for a scale that the stylesheet rejects', () => {
    expect(() => render({ sizes: { a: 'red' } })).toThrow('sizes.a: expected a length')
  })
})
