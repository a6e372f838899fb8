// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import type { DesignValue, Typography } from '../../../core/styleguide/index.js'
import { TypographyPage } from '../index.js'

const render = (typography: Typography) => renderToStaticMarkup(<TypographyPage typography={typography} />)
const one = (name: string, value: string): readonly DesignValue[] => [{ name, value }]

afterEach(cleanup)

describe('<TypographyPage>', () => {
  it.each<Typography>([{}, { families: [] }, { sizes: [], weights: [] }])(
    'shows a message if there is none: %j',
    (typography) => {
      expect(render(typography)).toBe('<p class="sw-empty">No typography found</p>')
    },
  )

  it('shows each value with its name, its pixels and a line set in it', () => {
    const html = render({ families: one('serif', '"Times New Roman", serif'), sizes: one('sm', '0.875rem') })
    expect(html).toContain('<h2 id="sizes"><a class="sw-anchor" href="#sizes">Sizes</a></h2>')
    expect(html).toContain('<strong>sm</strong> </div><div><code>0.875rem</code> · 14 px</div>')
    expect(html).toContain(
      '<svg role="presentation" display="block" class="sw-specimen" width="100%" height="1.4em" ' +
        'font-family="&quot;Times New Roman&quot;, serif" font-size="0.875rem">',
    )
  })

  it.each<[string, Typography, string]>([
    ['Families', { families: one('a', 'Georgia') }, 'font-family="Georgia"'],
    ['Sizes', { sizes: one('a', 'clamp(1rem, 2vw, 2rem)') }, 'font-size="clamp(1rem, 2vw, 2rem)"'],
    ['Weights', { weights: one('a', '650') }, 'font-weight="650"'],
    ['Line heights', { lineHeights: one('a', '1.5') }, 'font-size="calc(1rem * 1.5)"'],
    ['Letter spacings', { letterSpacings: one('a', '-0.02em') }, 'letter-spacing="-0.02em"'],
  ])('shows only %s if there is nothing else', (title, typography, attribute) => {
    renderInDom(<TypographyPage typography={typography} />)
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([title])
    expect(screen.getByRole('region', { name: title })).toBeDefined()
    expect(render(typography)).toContain(attribute)
  })

  it('draws no specimen of a line height that depends on the font', () => {
    expect(render({ lineHeights: one('normal', 'normal') })).not.toContain('<svg')
  })

  it('accepts custom texts', () => {
    const typography = { sizes: one('a', '1rem'), lineHeights: one('b', '2') }
    renderInDom(<TypographyPage typography={typography} sample="Zwölf Boxkämpfer" text="Vier Zeilen" />)
    expect(screen.getByText('Zwölf Boxkämpfer')).toBeDefined()
    expect(screen.getByText('Vier Zeilen')).toBeDefined()
  })

  it('escapes everything, shows repeated names, and has neither script nor style', () => {
    const hostile = '"><script>alert(1)</script>'
    const values = [...one(hostile, hostile), ...one(hostile, hostile)]
    const html = render({
      families: values,
      sizes: values,
      weights: values,
      lineHeights: values,
      letterSpacings: values,
    })
    expect(html).not.toMatch(/<script|<style| style=/)
    expect(html.match(/<li/g)).toHaveLength(10)
  })
})
