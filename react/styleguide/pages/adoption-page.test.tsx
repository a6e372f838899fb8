// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fromCssVariables } from '../../../core/styleguide/index.js'
import { AdoptionPage, ColorPage, StyleguidePage } from '../index.js'

afterEach(cleanup)

const stray = {
  place: 'styles/card.css:12:3',
  property: 'color',
  value: '#7e2c1b',
  token: '--color-accent',
  difference: 'ΔE 0.2',
}
const clean = {
  shares: [{ kind: 'colors', percent: 97.4, tokens: 38, values: 39 }],
  strays: [],
  pairs: [],
  pictures: [],
  headings: [],
  components: [],
} as const

it('the page shows the share of each kind', () => {
  render(<AdoptionPage adoption={clean} />)
  expect(screen.getByRole('listitem').textContent).toBe('Colors 38 of 3997.4\u00a0%')
  expect(screen.queryByRole('heading')).toBeNull()
})

const findings = {
  ...clean,
  strays: [stray],
  pairs: [{ text: 'ink-soft', ground: 'line', mode: 'light', contrast: 4.29 }],
  headings: [{ page: '/about', heading: 'h4 Four', after: 'h2' }],
  components: [
    { component: 'Card', pages: ['/', '/de'] },
    { component: 'Footer', pages: ['/', '/de', '/about', '/articles'] },
    { component: 'Unused', pages: [] },
  ],
}

it('each finding is a phrase with its place, below a heading for each part', () => {
  render(<AdoptionPage adoption={findings} />)
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Values that are not tokens',
    'Pairs that fail',
    'Headings that skip a level',
    'Components',
  ])
  const items = screen.getAllByRole('listitem').slice(1)
  expect(items.map(({ textContent }) => textContent?.trim())).toEqual([
    '#7e2c1b: use  --color-accent, ΔE\u00a00.2color in styles/card.css:12:3',
    'ink-soft on line: 4.29 in place of 4.5light',
    'h4 Four after h2/about',
    'Card/, /de',
    'Footer4 pages/, /de, /about, /articles',
    'Unusedon no page',
  ])
  expect(items.map((item) => item.querySelector('details')?.open)).toContain(false)
})

it('in a styleguide with the token, a stray is linked to it, and shown beside it', () => {
  const { colors } = fromCssVariables(':root { --color-accent: #7d2c1b }')
  const pages = [
    { title: 'Colors', content: <ColorPage colors={colors} /> },
    { title: 'Adoption', content: <AdoptionPage adoption={findings} /> },
  ]
  render(<StyleguidePage tree={{ title: 'Site', pages }} slug="adoption" />)
  const link = screen.getByRole('link', { name: '--color-accent' })
  expect(link.getAttribute('href')).toBe('/styleguide/colors#color-accent')
  expect(link.closest('span')?.textContent).toBe(' #7e2c1b: use  --color-accent, ΔE\u00a00.2')
  const fills = [...(link.closest('li')?.querySelectorAll('rect') ?? [])].map((rect) => rect.getAttribute('fill'))
  expect(fills).toEqual(['#7e2c1b', '#7d2c1b'])
})
