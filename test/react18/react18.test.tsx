// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { markdownPage } from '../../adapters/mdx/markdown-page.js'
import { createImageLoader } from '../../core/image/index.js'
import { Image } from '../../react/image/index.js'
import { Spacing } from '../../react/spacing/index.js'
import { ColorPage, StyleguidePage } from '../../react/styleguide/index.js'

// React reports unknown attributes only by console.error.
const complaints = vi.spyOn(console, 'error')
beforeEach(() => {
  complaints.mockClear()
})
afterEach(() => {
  cleanup()
  expect(complaints).not.toHaveBeenCalled()
})

it('these tests render with React 18', () => {
  expect(React.version).toMatch(/^18\./)
})

it('<Image> has its srcset and the fetch priority that React 18 knows', () => {
  const loader = createImageLoader({ sources: ['/media/'] })
  const html = renderToStaticMarkup(
    <Image loader={loader} src="/media/cat.jpg" alt="A cat" width={320} height={160} priority />,
  )
  expect(html).toMatch(/^<img alt="A cat" decoding="async" fetchpriority="high" width="320"/)
  expect(html).toContain('384w, ')
})

it('<Spacing> passes its ref and keeps its props to itself', () => {
  const ref = React.createRef<HTMLElement>()
  const html = renderToStaticMarkup(
    <Spacing as="section" marginXs="topSmall" ref={ref}>
      text
    </Spacing>,
  )
  expect(html).toBe('<section class="sw-small-xs-mt">text</section>')
  render(<Spacing as="section" aria-label="News" marginXs="topSmall" ref={ref} />)
  expect(ref.current).toBe(screen.getByRole('region', { name: 'News' }))
})

it('<Spacing> passes event handlers on', async () => {
  const onClick = vi.fn()
  render(
    <Spacing as="button" marginXs="base" onClick={onClick}>
      Subscribe
    </Spacing>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }))
  expect(onClick).toHaveBeenCalledOnce()
})

it('<StyleguidePage> and <ColorPage> render', () => {
  const tree = { title: 'Styleguide', pages: [{ title: 'Colors', content: <ColorPage colors={[]} /> }] }
  expect(renderToStaticMarkup(<StyleguidePage tree={tree} slug="colors" />)).toContain('No colors found')
})

it('<StyleguidePage> calls page components, with hooks and Suspense, and shows what they throw', () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
  const show = (content: () => React.ReactElement) =>
    renderToStaticMarkup(<StyleguidePage tree={{ title: 'Styleguide', content }} slug="" />)
  const broken = show(() => {
    throw new Error('no cover')
  })
  expect(complaint).toHaveBeenCalledOnce()
  complaint.mockClear()
  expect(broken).toMatch(/<section class="sw-error".*<p>Error: no cover<\/p>/s)
  expect(show(() => <p>{React.useId()}</p>)).toMatch(/<p>:/)
  const waiting = renderToStaticMarkup(
    <React.Suspense fallback="wait">
      <StyleguidePage tree={{ title: 'Styleguide', content: suspend }} slug="" />
    </React.Suspense>,
  )
  expect(waiting).toContain('wait')
})

function suspend(): never {
  throw new Promise(() => {})
}

it('a page of MDX renders, with the components of the site', async () => {
  const Swatch = ({ color }: { color: string }) => <b>{color}</b>
  const page = await markdownPage('# Colors\n\n## Red\n\n<Swatch color="red" />', 'x.mdx', { components: { Swatch } })
  const html = renderToStaticMarkup(<StyleguidePage tree={{ title: 'Root', pages: [page] }} slug="x" />)
  expect(html).toContain('<h1 class="sw-title">Colors</h1>')
  expect(html).toContain('<h2 id="red">Red</h2>\n<b>red</b>')
})
