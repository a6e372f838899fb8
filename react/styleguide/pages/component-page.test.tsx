// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import * as React from 'react'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeStyleguide, findPage } from '../../../core/styleguide/internal.js'
import { findSlugConflicts } from '../../../core/styleguide/tree/find.js'
import { type ComponentPageOptions, componentPage, type StyleguideContentProps, StyleguidePage } from '../index.js'

const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => void errors.mockClear())
// Other files may have the same document.
afterEach(() => document.body.replaceChildren())

const treeOf = (options: Partial<ComponentPageOptions>) => ({
  title: 'Styleguide',
  pages: [componentPage({ title: 'Card', variants: [], ...options })],
})
const render = (options: Partial<ComponentPageOptions>, slug = 'card') =>
  renderToStaticMarkup(<StyleguidePage tree={treeOf(options)} slug={slug} />)

function Card({ children }: { children?: React.ReactNode }) {
  const [id] = React.useState('card')
  return <article id={id}>{children}</article>
}
function Broken(): React.ReactElement {
  throw new Error('no <cat>')
}

describe('a component of a template', () => {
  const slug = 'card/wide'
  const variants = [{ title: 'Wide', html: '<article>Wide &amp; high</article>' }]

  it('a variant may be HTML, with the stylesheets of the site in its frame alone', () => {
    const options = { variants, stylesheets: ['/site.css'] }
    expect(render(options, slug)).toBe(
      '<link rel="stylesheet" href="/site.css"/><div class="sw-padded"><div><article>Wide &amp; high</article></div></div>',
    )
    expect(render(options)).not.toContain('/site.css')
  })

  it('a variant may be a function that returns HTML, also later, and so may its states', async () => {
    const states = [{ title: 'Narrow', html: async () => '<i>later</i>' }]
    const tree = treeOf({ variants: [{ title: 'Wide', html: () => '<b>now</b>', states }] })
    const stream = await renderToReadableStream(<StyleguidePage tree={tree} slug={slug} />)
    const html = await new Response(stream).text()
    expect(html).toContain('<figure><div><b>now</b></div><figcaption>Wide</figcaption></figure>')
    expect(html).toContain('<div><i>later</i></div>')
  })

  it('a template that throws shows its error in place of the component', () => {
    const html = () => {
      throw new Error('no <cat>')
    }
    expect(render({ variants: [{ title: 'Wide', html }] }, slug)).toContain('<strong class="sw-problem">')
  })
})

describe('componentPage', () => {
  it('the page shows a message if there are no variants', () => {
    expect(render({})).toContain('<p class="sw-empty">No variants found</p>')
  })

  it('each variant is shown with its source, and with a link to its page', () => {
    const html = render({
      description: <p>What it is for.</p>,
      variants: [{ title: 'With an image', content: <Card>text</Card>, source: '\n  <Card>text</Card>\n' }],
    })
    expect(html).toContain('<p>What it is for.</p>')
    expect(html).toContain('<h2 id="with-an-image">')
    expect(html).toContain('<code>  <span class="sw-code-tag">&lt;Card</span>')
    document.body.innerHTML = html
    expect(screen.getByRole('heading', { level: 2, name: 'With an image' }).id).toBe('with-an-image')
    const link = screen.getByRole('link', { name: /^Open in a new page ?: With an image$/ })
    expect(link.getAttribute('href')).toBe('/styleguide/card/with-an-image')
    expect(screen.getByRole('region', { name: 'With an image' }).textContent).toContain('<Card>text</Card>')
    expect(html).not.toMatch(/<script|<style| style=/)
  })

  it('index.json describes the component, with the address of each frame', () => {
    const { components } = describeStyleguide(
      treeOf({
        description: <p>What it is for.</p>,
        scheme: 'light',
        props: [{ name: 'span', type: '4 | 6' }],
        variants: [
          {
            title: 'Wide',
            content: <Card />,
            widths: [390],
            height: 200,
            states: [{ title: 'Hover', content: <Card /> }],
          },
          { title: 'Wide', content: <Card /> },
        ],
      }),
      '/styleguide',
    )
    expect(components).toEqual([
      {
        title: 'Card',
        href: '/styleguide/card',
        description: 'What it is for.',
        props: [{ name: 'span', type: '4 | 6' }],
        schemes: ['light'],
        variants: [
          { title: 'Wide', href: '/styleguide/card/wide', states: ['Hover'], widths: [390], height: 200 },
          { title: 'Wide', href: '/styleguide/card/wide-2', states: [], widths: [390, 768, 1280] },
        ],
      },
    ])
  })

  it('each variant has a page without the shell, which the navigation does not list', () => {
    const variants = [{ title: 'Wide', content: <Card>alone</Card> }]
    expect(render({ variants }, 'card/wide')).toBe('<div class="sw-padded"><article id="card">alone</article></div>')
    expect(render({ variants }).split('<main')[0]).not.toContain('Wide')
    expect(findPage(treeOf({ variants }), 'card/wide')?.page.bare).toBe(true)
  })

  it('a variant and its states may have surroundings, in which a mark is before the component', () => {
    const states = [{ title: 'Open', content: 'b' }]
    const decorator = (content: React.ReactNode) => <header>{content}</header>
    const mark = '<template data-sw-component=""></template>'
    expect(render({ variants: [{ title: 'Plain', content: 'a', decorator }] }, 'card/plain')).toBe(
      `<div class="sw-padded"><header>${mark}a</header></div>`,
    )
    expect(render({ variants: [{ title: 'Plain', content: 'a', states, decorator }] }, 'card/plain')).toContain(
      `<figure><header>${mark}b</header><figcaption>Open</figcaption></figure>`,
    )
  })

  it('the page of a variant is shown in frames, light and dark, with widths to choose from', () => {
    const html = render(
      {
        path: 'cards',
        variants: [
          { title: 'Fit', content: 'a' },
          { title: 'High', content: 'b', widths: [768], height: 900 },
        ],
      },
      'cards',
    )
    const matchesOf = (pattern: RegExp) => [...html.matchAll(pattern)].map(([match]) => match)
    expect(matchesOf(/<iframe[^>]*>/g)).toEqual([
      '<iframe title="Fit, light" src="/styleguide/cards/fit" height="320" loading="lazy" data-sw-scheme="light" data-sw-fit="">',
      '<iframe title="Fit, dark" src="/styleguide/cards/fit" height="320" loading="lazy" data-sw-scheme="dark" data-sw-fit="">',
      '<iframe title="High, light" src="/styleguide/cards/high" height="900" loading="lazy" data-sw-scheme="light">',
      '<iframe title="High, dark" src="/styleguide/cards/high" height="900" loading="lazy" data-sw-scheme="dark">',
    ])
    expect(matchesOf(/value="\d*" aria-pressed="true"|value="\d+"/g)).toEqual([
      ...['value="" aria-pressed="true"', 'value="390"', 'value="768"', 'value="1280"'],
      'value="768" aria-pressed="true"',
    ])
  })

  it('the states of a variant are shown in one line, each with its title', () => {
    const variants = [{ title: 'Plain', content: 'a', states: [{ title: 'Disabled', content: <Card>b</Card> }] }]
    expect(render({ variants }, 'card/plain')).toBe(
      '<div class="sw-padded sw-states"><figure>a<figcaption>Plain</figcaption></figure>' +
        '<figure><article id="card">b</article><figcaption>Disabled</figcaption></figure></div>',
    )
  })

  it('a component with the layout fullscreen has no space around it', () => {
    const variants = [{ title: 'Wide', content: 'a', layout: 'fullscreen' as const }]
    expect(render({ variants }, 'card/wide')).toBe('<div class="sw-fullscreen">a</div>')
  })

  it('the source is shown in color, with its text unchanged', () => {
    const source = `// It's "one"\nconst a = <Card title="It's" span={2}>It's {'a < b'}</Card> /* > */`
    const html = render({ variants: [{ title: 'A', content: 'a', source }] })
    const kinds = [...html.matchAll(/<span class="sw-code-(\w+)">(.*?)<\/span>/g)].map(
      ([, kind, text]) => `${kind} ${text}`,
    )
    expect(kinds).toEqual([
      ...['comment // It&#x27;s &quot;one&quot;', 'word const', 'tag &lt;Card', 'attribute title'],
      ...['string &quot;It&#x27;s&quot;', 'attribute span', 'word 2', 'tag &gt;', 'string &#x27;a &lt; b&#x27;'],
      ...['tag &lt;/Card', 'tag &gt;', 'comment /* &gt; */'],
    ])
    document.body.innerHTML = html
    expect(document.querySelector('pre')?.textContent).toBe(source)
  })

  it('props are shown in a table', () => {
    document.body.innerHTML = render({
      props: [
        { name: 'size', type: "'s' | 'm'", defaultValue: "'m'", description: '`s` or `m`, not `l.' },
        { name: 'title', type: 'string', required: true },
      ],
    })
    expect(screen.getAllByRole('row').map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Prop', 'Default', 'Description'],
      ["size?'s' | 'm'", "'m'", 's or m, not `l.'],
      ['titlestring', 'required', ''],
    ])
    expect([...document.querySelectorAll('td code')].map(({ textContent }) => textContent)).toEqual(['s', 'm'])
  })

  it('every variant has a unique path, whatever the titles', () => {
    const variants = ['Wide', 'wide!', '🎨', '…', 'wide 2', 'Ünter wäsche'].map((title) => ({ title, content: title }))
    const tree = treeOf({ variants })
    expect(tree.pages[0]?.pages?.map(({ path }) => path)).toEqual([
      ...['wide', 'wide-2', 'variant', 'variant-2', 'wide-2-2', 'ünter-wäsche'],
    ])
    expect(findSlugConflicts(tree)).toEqual([])
    for (const { path = '' } of tree.pages[0]?.pages ?? []) {
      expect(renderToStaticMarkup(<StyleguidePage tree={tree} slug={`card/${path}`} />)).toMatch(/padded">.+</)
    }
  })

  it.each([
    ['a single element', <Broken key="broken" />],
    ['a component', Broken],
  ])('the error of %s is shown in its place', (_, content) => {
    const html = render({ variants: [{ title: 'Broken', content }] }, 'card/broken')
    expect(html).toContain('<strong class="sw-problem">Error: no &lt;cat&gt;</strong>')
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
  ])('the content of a variant may be %s', (_, content, expected) => {
    expect(render({ variants: [{ title: 'It', content }] }, 'card/it')).toBe(`<div class="sw-padded">${expected}</div>`)
    expect(errors).not.toHaveBeenCalled()
  })

  it.each([
    ['Good', '<b>fetched</b>'],
    ['Bad', 'Error: CMS away'],
  ])('an async component is awaited, and its rejection is shown in its place: %s', async (title, expected) => {
    const content = async () => {
      if (title === 'Bad') throw new Error('CMS away')
      return <b>fetched</b>
    }
    const stream = await renderToReadableStream(
      <StyleguidePage tree={treeOf({ variants: [{ title, content }] })} slug={`card/${title.toLowerCase()}`} />,
    )
    expect(await new Response(stream).text()).toContain(expected)
  })

  it('a component with a single color scheme is shown in this scheme only', () => {
    const html = render({ scheme: 'light', variants: [{ title: 'A', content: 'a' }] })
    expect(html.match(/data-sw-scheme="\w+"/g)).toEqual(['data-sw-scheme="light"'])
  })

  it.each([{ widths: [0] }, { widths: [390.5] }, { widths: [390], height: -1 }, { widths: [Number.NaN] }])(
    'componentPage throws for %j',
    (frames) => {
      const variants = [{ title: 'Wide', content: null, ...frames }]
      expect(() => componentPage({ title: 'Card', variants })).toThrow(
        /^(?:widths|height) of variant 'Wide': expected a whole number >= 1, got /,
      )
    },
  )
})
