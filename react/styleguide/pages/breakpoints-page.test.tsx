// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen } from '@testing-library/react'
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
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...[
        'below sm 0–639\u00a0px ',
        'sm 640–767\u00a0px 640px',
        'md 768–807\u00a0px 48rem',
        'odd 808\u00a0px and up 50.5rem',
      ],
    ])
  })

  it('the ranges are drawn to scale', () => {
    const html = render({ base: '0', wide: '1000px' })
    expect(html).toContain('x="0%" width="83.33%"')
    expect(html).toContain('x="83.33%" width="16.67%"')
  })

  it.each([
    ['0', 'clamp(0px, min((100vw - 0px + 0.01px) * 9999, (48em - 100vw - 0.01px) * 9999), 2.25em)'],
    ['48rem', 'clamp(0px, min((100vw - 48em + 0.01px) * 9999), 2.25em)'],
  ])('the current breakpoint is marked by a font size: %s', (_, length) => {
    expect(render({ base: '0', md: '48rem' })).toContain(`font-size="${length}"`)
  })

  it('breakpoints without a plain width are shown, and escaped', () => {
    const html = render({ print: 'print', '"><script>': '"><script>' })
    renderInDom(page({ print: 'print' }))
    expect(screen.getByRole('listitem').textContent).toBe('print Not a plain width print')
    expect(html).not.toMatch(/<script|<style| style=|<svg/)
  })
})
