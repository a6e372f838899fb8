// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { BreakpointsPage } from '../index.js'

const page = (breakpoints: Record<string, string>) => (
  <BreakpointsPage breakpoints={Object.entries(breakpoints).map(([name, value]) => ({ name, value }))} />
)
const render = (breakpoints: Record<string, string>) => renderToStaticMarkup(page(breakpoints))

afterEach(cleanup)

describe('<BreakpointsPage>', () => {
  it('the page shows a message if there are no breakpoints', () => {
    expect(render({})).toBe('<p class="sw-empty">No breakpoints found</p>')
  })

  it('each breakpoint is shown with its width and its range of window widths, from narrow to wide', () => {
    renderInDom(page({ md: '48rem', sm: '640px', odd: '50.5rem' }))
    const rows = screen.getAllByRole('listitem')
    expect(rows.map((row) => within(row).getByText(/^(?:·|\d).* px$|from/).textContent)).toEqual([
      ...['0 · 0–639 px', '640px · 640–767 px', '48rem · 768–807 px', '50.5rem · from 808 px'],
    ])
    expect(within(rows[0] as HTMLElement).getByText('below sm').localName).toBe('strong')
  })

  it('the ranges are drawn to scale', () => {
    const html = render({ base: '0', wide: '1000px' })
    expect(html).toContain('x="0%" width="83.33%"')
    expect(html).toContain('x="83.33%" width="16.67%"')
  })

  it.each([
    ['0', 'clamp(0px, min((100vw - 0px + 0.01px) * 9999, (48em - 100vw - 0.01px) * 9999), 0.75em)'],
    ['48rem', 'clamp(0px, min((100vw - 48em + 0.01px) * 9999), 0.75em)'],
  ])('the current breakpoint is marked by a font size: %s', (_, length) => {
    expect(render({ base: '0', md: '48rem' })).toContain(`font-size="${length}"`)
  })

  it('breakpoints without a plain width are shown, and escaped', () => {
    const html = render({ print: 'print', '"><script>': '"><script>' })
    renderInDom(page({ print: 'print' }))
    expect(screen.getByRole('listitem').textContent).toContain('print · Not a plain width')
    expect(html).not.toMatch(/<script|<style| style=|<svg/)
  })
})
