import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import {
  BreakpointsPage,
  componentPage,
  ImagesPage,
  SpacingPage,
  StyleguidePage,
  TypographyPage,
} from '../../react/styleguide/index.js'

// React reports unknown attributes by console.error only.
const errors = vi.spyOn(console, 'error')
afterEach(() => expect(errors).not.toHaveBeenCalled())

const value = { name: 'md', value: '48rem' }
const image = { width: 640, url: '/a', deliveries: [{ format: 'AVIF', type: 'image/avif', bytes: 9 }] }

function Counter() {
  const [count] = React.useState(7)
  return <b>{count}</b>
}

const card = componentPage({
  title: 'Card',
  variants: [{ title: 'Wide', content: <Counter />, source: '<Counter />', widths: [390] }],
})

it.each<[string, React.ReactElement, string]>([
  [
    'TypographyPage',
    <TypographyPage key="t" typography={{ sizes: [value], lineHeights: [value] }} />,
    'font-size="48rem"',
  ],
  ['SpacingPage', <SpacingPage key="s" />, '<code>var(--sw-large)</code>'],
  ['BreakpointsPage', <BreakpointsPage key="b" breakpoints={[value]} />, '<code>48rem</code>'],
  ['ImagesPage', <ImagesPage key="i" images={[image]} alt="A cat" />, '<td>9 B </td>'],
  ['componentPage', <StyleguidePage key="c" tree={{ title: 'S', pages: [card] }} slug="card/wide" />, '<b>7</b>'],
])('%s renders with React 18', (_, page, expected) => {
  expect(React.version).toMatch(/^18\./)
  expect(renderToStaticMarkup(page)).toContain(expected)
})
