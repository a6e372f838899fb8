// @vitest-environment happy-dom
import { cleanup, render as renderInDom, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { type DesignValue, fromDesignTokens, type Typography } from '../../../core/styleguide/index.js'
import { TypographyPage } from '../index.js'

const render = (typography: Typography) => renderToStaticMarkup(<TypographyPage typography={typography} />)
const listOf = (name: string, value: string): readonly DesignValue[] => [{ name, value }]

afterEach(cleanup)

describe('<TypographyPage>', () => {
  it.each<Typography>([{}, { families: [] }, { sizes: [], weights: [] }])(
    'the page shows a message if there is no typography: %j',
    (typography) => {
      expect(render(typography)).toBe('<p class="sw-empty">No typography found</p>')
    },
  )

  it('each value is shown with its name, its pixels and a specimen', () => {
    const html = render({ families: listOf('serif', '"Times New Roman", serif'), sizes: listOf('sm', '0.875rem') })
    expect(html).toContain('<h2 id="sizes"><a class="sw-anchor" href="#sizes">Sizes</a></h2>')
    expect(html).toContain('<strong>sm</strong> <div>14\u00a0px</div>')
    expect(html).toContain('<code>0.875rem</code>')
    expect(html).toContain('font-family="&quot;Times New Roman&quot;, serif" font-size="0.875rem"')
  })

  it.each<[string, Typography, string]>([
    ['Families', { families: listOf('a', 'Georgia') }, 'font-family="Georgia"'],
    ['Sizes', { sizes: listOf('a', 'clamp(1rem, 2vw, 2rem)') }, 'font-size="clamp(1rem, 2vw, 2rem)"'],
    ['Weights', { weights: listOf('a', '650') }, 'font-weight="650"'],
    ['Line heights', { lineHeights: listOf('a', '1.5') }, 'font-size="calc(1rem * 1.5)"'],
    ['Letter spacings', { letterSpacings: listOf('a', '-0.02em') }, 'letter-spacing="-0.02em"'],
  ])('the page has only the section %s if there are no other values', (title, typography, attribute) => {
    renderInDom(<TypographyPage typography={typography} />)
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([title])
    expect(screen.getByRole('region', { name: title })).toBeDefined()
    expect(render(typography)).toContain(attribute)
  })

  it('each declared style is shown with a paragraph, its size in a narrow and in a wide window, and its shorthand with tokens to copy', () => {
    const style = {
      name: 'Heading',
      size: 'clamp(2.5rem, 1.65rem + 3.6vw, 4.75rem)',
      weight: '500',
      lineHeight: '1.05',
    }
    const { container } = renderInDom(
      <TypographyPage
        typography={{
          families: [{ name: 'serif', value: 'Georgia, serif', source: { property: '--serif' } }],
        }}
        styles={[{ ...style, measure: '30rem' }]}
      />,
    )
    expect(screen.getByRole('region', { name: 'Styles' }).textContent).toMatch(
      /^StylesHeading Georgia 500, 40–72\u00a0px, leading\u00a01.05, measure\u00a030rem 500 clamp\(.*\)\/1.05 var\(--serif\)A page is read in glances\.$/,
    )
    const svg = container.querySelector('[aria-labelledby=styles] svg')
    expect(svg?.getAttribute('width')).toBe('30rem')
    expect(svg?.getAttribute('font-size')).toBe(`calc(${style.size} * 1.05)`)
    expect(svg?.querySelector('g[font-weight="500"][font-family="Georgia, serif"]')).not.toBeNull()
  })

  it('a size with a line height becomes a style with the values of the same name, and other sizes are shown alone', () => {
    const sizes = [
      { name: 'h1', value: '3rem', lineHeight: 'calc(1.25 / 0.5)' },
      { name: 'sm', value: '1rem' },
    ]
    renderInDom(
      <TypographyPage typography={{ sizes, letterSpacings: listOf('h1', '1px'), weights: listOf('h1', '700') }} />,
    )
    expect(screen.getByRole('region', { name: 'Styles' }).textContent).toMatch(
      /^Stylesh1 700, 48\u00a0px, leading\u00a02.5, tracking\u00a01px 3remA page/,
    )
    expect(screen.getByRole('region', { name: 'Sizes' }).textContent).toBe('Sizessm 16\u00a0px 1remSphinx')
  })

  it('a text style has the family and weight that its token refers to', () => {
    const { families, ...typography } = fromDesignTokens({
      mono: { $type: 'fontFamily', $value: 'Menlo' },
      sans: { $type: 'fontFamily', $value: 'Inter' },
      lead: {
        $type: 'typography',
        $value: { fontFamily: '{sans}', fontSize: '2rem', fontWeight: 500, lineHeight: 1.4 },
      },
    }).typography
    expect(families?.map(({ name }) => name)).toEqual(['mono', 'sans'])
    renderInDom(<TypographyPage typography={{ families, ...typography }} />)
    const style = screen.getByRole('region', { name: 'Styles' })
    expect(style.textContent).toMatch(/^Styleslead Inter 500/)
    expect(style.querySelector('g[font-weight="500"][font-family="Inter"]')).not.toBeNull()
  })

  it('a line height that depends on the font has no specimen', () => {
    expect(render({ lineHeights: listOf('normal', 'normal') })).not.toContain('<svg')
  })

  it('small text has three sentences, text from 20 px two, from 32 px one, and the largest one word that a phone has room for', () => {
    const sizes = ['1rem', '1.25rem', '2rem', '4.5rem', '8rem'].map((value) => ({
      name: value,
      value,
      lineHeight: '1',
    }))
    const { container } = renderInDom(<TypographyPage typography={{ sizes }} text="One more. Two. Three. Four." />)
    const shown = [...container.querySelectorAll('foreignObject')].map(({ textContent }) => textContent)
    expect(shown).toEqual(['One', 'One more.', 'One more.', 'One more. Two.', 'One more. Two. Three.'])
  })

  it('sizes are ordered by their pixels in a wide window, the largest first, and one with the name of a family is shown in it', () => {
    const sizes = [...listOf('head', 'clamp(2rem, 9vw, 5rem)'), ...listOf('cover', '4rem'), ...listOf('text', '1rem')]
    renderInDom(<TypographyPage typography={{ sizes, families: listOf('cover', 'Georgia') }} />)
    const shown = [...screen.getByRole('region', { name: 'Sizes' }).querySelectorAll('li')]
    expect(shown.map((item) => item.querySelector('strong')?.textContent)).toEqual(['head', 'cover', 'text'])
    expect(screen.getByText(/from a window of 390 px to 1280 px/)).toBeDefined()
  })

  it('a few families are shown with their alphabet, more than six in a line each, and a stack is shown by its first families', () => {
    const listFamilies = (count: number) => {
      cleanup()
      const families = Array.from({ length: count }, (_, index) => ({
        name: `font-${index}`,
        value: 'Didot,"A, B",serif',
      }))
      return renderInDom(<TypographyPage typography={{ families }} />).container
    }
    const few = listFamilies(6)
    expect(few.querySelector('li')?.textContent).toContain('0 then A, B and 1 more')
    expect(few.textContent).toContain('ABCDEF')
    const many = listFamilies(7)
    expect(many.querySelector('.sw-lines li')?.textContent).toBe('0 Didot Didot,"A, B",serifSphinx')
    expect(many.textContent).not.toContain('ABCDEF')
  })

  it('the texts of the specimens can be changed', () => {
    const typography = { letterSpacings: listOf('a', '1px'), lineHeights: listOf('b', '2') }
    renderInDom(<TypographyPage typography={typography} sample="Zwölf Boxkämpfer" text="Vier Zeilen" />)
    expect(screen.getByText('Boxkämpfer')).toBeDefined()
    expect(screen.getByText('Vier Zeilen')).toBeDefined()
  })

  it('all texts are escaped, repeated names are shown, and the page has neither script nor style', () => {
    const hostile = '"><script>alert(1)</script>'
    const values = [...listOf(hostile, hostile), ...listOf(hostile, hostile)]
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
