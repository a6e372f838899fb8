// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import * as React from 'react'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findPage } from '../../../core/styleguide/index.js'
import { findSlugConflicts } from '../../../core/styleguide/tree/find.js'
import { type ComponentPageOptions, componentPage, type StyleguideContentProps, StyleguidePage } from '../index.js'

const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => void errors.mockClear())

const treeOf = (options: Partial<ComponentPageOptions>) => ({
  title: 'Styleguide',
  pages: [componentPage({ title: 'Card', variants: [], ...options })],
})
const render = (options: Partial<ComponentPageOptions>, slug = 'card') =>
  renderToStaticMarkup(<StyleguidePage tree={treeOf(options)} slug={slug} />)
const contentOf = (html: string) => html.slice(html.indexOf('<div class="sw-content">'))

function Card({ children }: { children?: React.ReactNode }) {
  const [id] = React.useState('card')
  return <article id={id}>{children}</article>
}
function Broken(): React.ReactElement {
  throw new Error('no <cat>')
}

describe('componentPage', () => {
  it('shows a message if there are no variants', () => {
    expect(render({})).toContain('<p class="sw-empty">No variants found</p>')
  })

  it('shows each variant with its source, and a link to its own page', () => {
    const html = render({
      description: <p>What it is for.</p>,
      variants: [{ title: 'With an image', content: <Card>text</Card>, source: '\n  <Card>text</Card>\n' }],
    })
    expect(html).toContain('<p>What it is for.</p>')
    expect(html).toContain('<h2 id="with-an-image">')
    expect(html).toContain('<div class="sw-preview"><article id="card">text</article></div>')
    expect(html).toContain('<pre class="sw-scroll" tabindex="0">  &lt;Card&gt;text&lt;/Card&gt;</pre>')
    document.body.innerHTML = html
    expect(screen.getByRole('heading', { level: 2, name: 'With an image' }).id).toBe('with-an-image')
    const link = screen.getByRole('link', { name: /^Open in a new page ?: With an image$/ })
    expect(link.getAttribute('href')).toBe('/styleguide/card/with-an-image')
    expect(screen.getByRole('region', { name: 'With an image' }).textContent).toContain('<Card>text</Card>')
    expect(html).not.toMatch(/<script|<style| style=|<iframe/)
  })

  it('creates a page for each variant, without the shell and not in the navigation', () => {
    const variants = [{ title: 'Wide', content: <Card>alone</Card> }]
    expect(render({ variants }, 'card/wide')).toBe('<article id="card">alone</article>')
    expect(render({ variants }).split('<main')[0]).not.toContain('Wide')
    expect(findPage(treeOf({ variants }), 'card/wide')?.page.bare).toBe(true)
  })

  it('shows the variant’s page in frames of the given widths', () => {
    const html = render(
      {
        path: 'cards',
        variants: [
          { title: 'Fit', content: 'a', widths: [390, 1280] },
          { title: 'High', content: 'b', widths: [768], height: 900 },
        ],
      },
      'cards',
    )
    const frames = [...html.matchAll(/<iframe[^>]*>/g)].map(([frame]) => frame)
    expect(frames).toEqual([
      '<iframe title="Fit at 390 pixels" src="/styleguide/cards/fit" width="390" height="320" loading="lazy" data-sw-fit="">',
      '<iframe title="Fit at 1280 pixels" src="/styleguide/cards/fit" width="1280" height="320" loading="lazy" data-sw-fit="">',
      '<iframe title="High at 768 pixels" src="/styleguide/cards/high" width="768" height="900" loading="lazy">',
    ])
  })

  it('gives every variant a unique path, whatever the titles', () => {
    const variants = ['Wide', 'wide!', '🎨', '…', 'wide 2', 'Ünter wäsche'].map((title) => ({ title, content: title }))
    const tree = treeOf({ variants })
    expect(tree.pages[0]?.pages?.map(({ path }) => path)).toEqual([
      ...['wide', 'wide-2', 'variant', 'variant-2', 'wide-2-2', 'ünter-wäsche'],
    ])
    expect(findSlugConflicts(tree)).toEqual([])
    for (const { path = '', content } of tree.pages[0]?.pages ?? []) {
      expect(renderToStaticMarkup(<StyleguidePage tree={tree} slug={`card/${path}`} />)).toBe(content)
    }
  })

  it.each([
    ['a single element', <Broken key="broken" />],
    ['a component', Broken],
  ])('shows the error of %s in its place, and the other variants', (_, content) => {
    const html = contentOf(
      render({
        variants: [
          { title: 'Broken', content, source: '<Broken />' },
          { title: 'Whole', content: <Card>whole</Card> },
        ],
      }),
    )
    expect(html).toContain('<strong class="sw-problem">Error: no &lt;cat&gt;</strong>')
    expect(html).toContain('&lt;Broken /&gt;')
    expect(html).toContain('<article id="card">whole</article>')
    expect(errors).toHaveBeenCalledOnce()
  })

  it.each<[string, ComponentPageOptions['variants'][number]['content'], string]>([
    ['text', 'text', 'text'],
    ['a host element', <b key="b">bold</b>, '<b>bold</b>'],
    ['several elements', [<i key="1">1</i>, <i key="2">2</i>], '<i>1</i><i>2</i>'],
    ['a component of the page', ({ page, href }) => `${page.title} ${href}`, 'It /styleguide/card/it'],
    ['memo', React.memo(() => <b>memo</b>), '<b>memo</b>'],
    [
      'a class',
      class extends React.Component<StyleguideContentProps> {
        override render() {
          return <b>class</b>
        }
      },
      '<b>class</b>',
    ],
    ['nothing', null, ''],
  ])('shows %s', (_, content, expected) => {
    expect(render({ variants: [{ title: 'It', content }] })).toContain(`<div class="sw-preview">${expected}</div>`)
    expect(errors).not.toHaveBeenCalled()
  })

  it('waits for an async component, and shows its rejection in its place', async () => {
    const tree = treeOf({
      variants: [
        { title: 'Good', content: async () => <b>fetched</b> },
        {
          title: 'Bad',
          content: async () => {
            throw new Error('CMS away')
          },
        },
      ],
    })
    const stream = await renderToReadableStream(<StyleguidePage tree={tree} slug="card" />)
    const html = await new Response(stream).text()
    expect(html).toContain('<b>fetched</b>')
    expect(html).toContain('Error: CMS away')
  })

  it('applies the only color scheme that a component supports', () => {
    expect(render({ scheme: 'light', variants: [{ title: 'A', content: 'a' }] })).toContain(
      'class="sw-preview sw-light"',
    )
  })

  it.each([{ widths: [0] }, { widths: [390.5] }, { widths: [390], height: -1 }, { widths: [Number.NaN] }])(
    'throws for %j',
    (frames) => {
      const variants = [{ title: 'Wide', content: null, ...frames }]
      expect(() => componentPage({ title: 'Card', variants })).toThrow(
        /^(?:widths|height) of variant 'Wide': expected a whole number >= 1, got /,
      )
    },
  )
})
