// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { AdoptionPage } from '../index.js'

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
  expect(screen.getByRole('listitem').textContent).toBe('Colors97.4 %38 of 39 values')
  expect(screen.queryByRole('table')).toBeNull()
})

it('the page shows a table for each part with findings', () => {
  const components = [
    { component: 'Card', pages: ['/', '/de'] },
    { component: 'Footer', pages: ['/', '/de', '/about', '/articles'] },
  ]
  render(<AdoptionPage adoption={{ ...clean, strays: [stray], components }} />)
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Values that are not tokens',
    'Components',
  ])
  const [strays, usesTable] = screen.getAllByRole('table') as [HTMLElement, HTMLElement]
  expect(
    within(strays)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Place', 'Property', 'Value', 'Token', 'Difference'])
  expect(within(strays).getByRole('rowheader').textContent).toBe('styles/card.css:12:3')
  const pages = within(usesTable).getAllByRole('cell')
  expect(pages.map(({ textContent }) => textContent)).toEqual(['/, /de', '4 pages/, /de, /about, /articles'])
  expect(pages.map((cell) => cell.querySelector('details')?.open)).toEqual([undefined, false])
})
