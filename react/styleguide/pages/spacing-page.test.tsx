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
  it('the scale is shown in ascending order, with rem, pixels and custom property', () => {
    const scale = render().split('<h2')[1] ?? ''
    expect([...scale.matchAll(/<strong>(\w+)/g)].map(([, name]) => name)).toEqual([
      ...['extraSmall', 'small', 'base', 'large', 'extraLarge'],
    ])
    expect(scale).toContain(
      '<code>.5rem</code> · 8 px</div><button class="sw-copy" type="button"><code>--sw-extra-small</code>',
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
    expect(text).toContain('all widthsmarginAllpaddingAll48rem, 768 pxmarginWidepaddingWide')
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
    expect(names({ sizes: { one: '1rem' } })).toEqual(['Scale', 'Layout scale', 'Sizes', 'Breakpoints'])
    expect(renderToStaticMarkup(<SpacingPage spacing={[]} />)).toBe('<p class="sw-empty">No spacing found</p>')
  })

  it('a long scale is shown as bars in true size: torn, hollow, and lighter where it grows with the window', () => {
    const spacing = [
      ...Array.from({ length: 10 }, (_, index) => ({ name: `${index}`, value: `${index}rem` })),
      { name: 'back', value: '-8px', source: { property: '--space-back' } },
      { name: 'fluid', value: 'clamp(1rem, 4vw, 3rem)' },
      { name: 'far', value: '480px' },
    ]
    renderInDom(<SpacingPage spacing={spacing} />)
    const bars = [...document.querySelectorAll('.sw-bars li')].map((item) => [
      item.querySelector('strong')?.textContent,
      item.querySelector('span')?.textContent,
      item.querySelector('svg')?.getAttribute('width'),
      item.querySelector('svg')?.getAttribute('class'),
      item.querySelector('button')?.textContent,
    ])
    expect(bars).toHaveLength(13)
    expect(bars).toContainEqual(['back', '-8 px', '8', null, 'var(--space-back)'])
    expect(bars).toContainEqual(['fluid', '16 → 48 px', '48', null, 'clamp(1rem, 4vw, 3rem)'])
    expect(document.querySelectorAll('.sw-bars [fill=none][stroke]')).toHaveLength(1)
    expect(bars.at(-1)).toEqual(['far', '480 px', '480', 'sw-torn', '480px'])
  })

  it('SpacingPage throws for a scale that the stylesheet rejects', () => {
    expect(() => render({ sizes: { a: 'red' } })).toThrow('sizes.a: expected a length')
  })
})
