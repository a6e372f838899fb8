import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { BreakpointsPage } from '../index.js'

const render = (breakpoints: Record<string, string>) =>
  renderToStaticMarkup(
    <BreakpointsPage breakpoints={Object.entries(breakpoints).map(([name, value]) => ({ name, value }))} />,
  )
const textOf = (html: string) =>
  html
    .replace(/<svg.*?<\/svg>/g, '')
    .replace(/<\/div>|<\/li>/g, '\n')
    .replace(/<[^>]*>/g, '')

describe('<BreakpointsPage>', () => {
  it('shows a message if there are none', () => {
    expect(render({})).toBe('<p class="sw-empty">No breakpoints found</p>')
  })

  it('shows each with its width and its range of window widths, from narrow to wide', () => {
    const html = render({ md: '48rem', sm: '640px', odd: '50.5rem' })
    const lines = textOf(html)
      .split('\n')
      .filter((line) => line.includes('px') || line.includes('rem'))
    expect(lines).toEqual(['0 · 0–639 px', '640px · 640–767 px', '48rem · 768–807 px', '50.5rem · from 808 px'])
    expect([...html.matchAll(/data-sw-media="([^"]*)"/g)].map(([, query]) => query)).toEqual([
      ...['(min-width: 0)', '(min-width: 640px)', '(min-width: 48rem)', '(min-width: 50.5rem)'],
    ])
    expect(html).toContain('<strong>below sm</strong>')
  })

  it('draws the ranges to scale', () => {
    const html = render({ base: '0', wide: '1000px' })
    expect(html).toContain('x="0%" width="83.33%"')
    expect(html).toContain('x="83.33%" width="16.67%"')
  })

  it.each([
    ['0', 'clamp(0px, min((100vw - 0px + 0.01px) * 9999, (48em - 100vw - 0.01px) * 9999), 0.75em)'],
    ['48rem', 'clamp(0px, min((100vw - 48em + 0.01px) * 9999), 0.75em)'],
  ])('marks the current one by a font size: %s', (_, length) => {
    expect(render({ base: '0', md: '48rem' })).toContain(`font-size="${length}"`)
  })

  it('shows values that are not plain widths, escaped', () => {
    const html = render({ print: 'print', '"><script>': '"><script>' })
    expect(textOf(html)).toContain('print · Not a plain width')
    expect(html).not.toMatch(/<script|<style| style=|<svg/)
  })
})
