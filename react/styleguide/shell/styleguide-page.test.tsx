// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createStyleguideRoute, type Slug } from '../../../core/styleguide/index.js'
import { findPage } from '../../../core/styleguide/internal.js'
import {
  ColorPage,
  componentPage,
  RadiiPage,
  SpacingPage,
  type StyleguideContentProps,
  StyleguidePage,
  type StyleguidePageProps,
  type StyleguideTree,
  TypographyPage,
} from '../index.js'
import { englishLabels } from './labels.js'

const Colors = ({ page, trail, href }: StyleguideContentProps) => (
  <p>
    {page.title} of {trail.length} at {href}
  </p>
)

const tree: StyleguideTree = {
  title: 'Site & styleguide',
  content: <p>Welcome</p>,
  pages: [
    {
      title: 'Foundations',
      pages: [
        { title: 'Colors', content: Colors },
        { title: 'Über <b>', path: 'über/uns', content: 'Text' },
      ],
    },
    { title: 'Memo', content: React.memo(() => <p>memo</p>) },
    { title: 'Ref', content: React.forwardRef(() => <p>ref</p>) },
    { title: 'List', content: [<p key="a">one</p>, <p key="b">two</p>] },
    { title: 'Zero', content: 0 },
    { title: '🎨', content: 'unreachable' },
  ],
}

const indexed: StyleguideTree = {
  title: 'Site',
  pages: [
    { title: 'Colors', content: <ColorPage colors={[{ name: 'brand', value: 'light-dark(#7d2c1b, #e3a17c)' }]} /> },
    componentPage({
      title: 'Card',
      description: 'Links to an article',
      variants: [{ title: 'Wide', content: <p>card</p> }],
    }),
    { title: 'Written', content: <p>Say what is seen.</p> },
    { title: 'Type', content: <TypographyPage typography={{ sizes: [{ name: 'lead', value: '1.5rem' }] }} /> },
  ],
}

const render = (slug?: Slug, props: Partial<StyleguidePageProps> = {}) =>
  renderToStaticMarkup(<StyleguidePage tree={tree} slug={slug} {...props} />)
/** Puts the server's markup into the document, like a browser without JavaScript. */
const show = (html: string) => {
  document.body.innerHTML = html
}
// Other files may have the same document.
afterEach(() => document.body.replaceChildren())
const mainOf = (html: string) => /<main[^>]*>(.*?)<\/main>/.exec(html)?.[1]
const linksOf = (element: HTMLElement) =>
  [...element.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))

vi.spyOn(console, 'warn').mockImplementation(() => {})
const error = vi.spyOn(console, 'error')
afterEach(() => {
  document.body.replaceChildren() // unit tests share the document of their worker
  expect(error).not.toHaveBeenCalled()
})

describe('<StyleguidePage>', () => {
  it('without a slug, the root is shown', () => {
    expect(mainOf(render())).toMatch(
      /^<div class="sw-cover"><svg.*?<\/svg><h1 class="sw-title"><span.*?><span>Site &amp; styleguide<\/span><svg.*?<\/h1><p><span.*?><span>Welcome<\/span><svg.*?<\/p><\/div><section class="sw-part">/,
    )
    expect(mainOf(render(['']))).toBe(mainOf(render()))
  })

  it('the page of the slug is shown with its content and breadcrumbs', () => {
    expect(mainOf(render('foundations/colors'))).toBe(
      '<nav class="sw-breadcrumbs" aria-label="Breadcrumb"><ol>' +
        '<li><a href="/styleguide">Site &amp; styleguide</a></li>' +
        '<li><a href="/styleguide/foundations">Foundations</a></li>' +
        '<li><span aria-current="page">Colors</span></li></ol></nav>' +
        '<h1 class="sw-title">Colors</h1>' +
        '<div class="sw-content"><p>Colors of 3 at /styleguide/foundations/colors</p></div>',
    )
  })

  it('the page that the route has found is shown, and not looked up again', () => {
    const match = findPage(tree, 'foundations/colors')
    expect(render('nothing', { match })).toBe(render('foundations/colors'))
  })

  it('the view of the route has all props of the page', async () => {
    const route = createStyleguideRoute({
      tree,
      prefix: '/docs',
      enabled: true,
      render: (view) => new Response(renderToStaticMarkup(<StyleguidePage {...view} />)),
    })
    const bodyOf = async (path: string) => (await route(new Request(`http://site.test${path}`)))?.text()
    expect(await bodyOf('/docs/foundations/colors')).toBe(render('foundations/colors', { prefix: '/docs', xRay: true }))
    expect(await bodyOf('/docs/nothing')).toBe(render('nothing', { prefix: '/docs', xRay: true }))
  })

  it.each(['nothing', '%', '__proto__', ['foundations', '..'], 'zzz/'.repeat(10_000).slice(0, -1)])(
    'for the slug %j, the missing page is named, and the pages of the first level are shown',
    (slug) => {
      show(render(slug))
      const main = screen.getByRole('main')
      const name = [slug].flat().join('/').split('/').at(-1)
      expect(within(main).getByRole('heading', { level: 1 }).textContent).toBe(`There is no page “${name}”`)
      expect(document.querySelector('[aria-current]')).toBeNull()
      const links = within(main).getAllByRole('link')
      expect(links.map(({ textContent }) => textContent)).toEqual(['Foundations', 'Memo', 'Ref', 'List', 'Zero'])
    },
  )

  it('every page has a link, and one link is marked as current', () => {
    show(render('foundations/colors', { prefix: 'docs/guide/' }))
    expect(linksOf(document.body)).toEqual([
      '#sw-content',
      '/docs/guide',
      '/docs/guide/foundations',
      '/docs/guide/foundations/colors',
      '/docs/guide/foundations/%C3%BCber/uns',
      '/docs/guide/memo',
      '/docs/guide/ref',
      '/docs/guide/list',
      '/docs/guide/zero',
      '/docs/guide/search',
      '/docs/guide',
      '/docs/guide/foundations',
    ])
    const current = screen.getByRole('link', { current: 'page' })
    expect([current.textContent, current.getAttribute('href')]).toEqual(['Colors', '/docs/guide/foundations/colors'])
    expect(screen.getByText('🎨').outerHTML).toBe('<a>🎨</a>')
    show(render())
    const brand = screen.getByRole('link', { current: 'page' })
    expect([brand.className, brand.getAttribute('href')]).toEqual(['sw-brand', '/styleguide'])
  })

  it('the content of a page may be any component or element', () => {
    expect(mainOf(render('memo'))).toContain('<p>memo</p>')
    expect(mainOf(render('ref'))).toContain('<p>ref</p>')
    expect(mainOf(render('list'))).toContain('<p>one</p><p>two</p>')
    expect(mainOf(render('zero'))).toContain('<div class="sw-content">0</div>')
  })

  it('a page without content lists its child pages', () => {
    expect(mainOf(render('foundations'))).toContain(
      '<p class="sw-words">Colors</p></div><a href="/styleguide/foundations/colors">Colors</a></li>',
    )
    expect(renderToStaticMarkup(<StyleguidePage tree={{ title: 'Single' }} slug="" />)).not.toContain('<ul')
  })

  it('a missing page is searched for by the last part of its address, above the sections', () => {
    show(render('foundations/colours'))
    const main = screen.getByRole('main')
    expect(within(main).getByRole<HTMLInputElement>('searchbox').value).toBe('colours')
    expect([...main.querySelectorAll('.sw-found li a')].map((link) => link.getAttribute('href'))).toEqual([
      '/styleguide/foundations/colors',
    ])
    const sections = main.querySelector('.sw-pictures') as HTMLElement
    expect(linksOf(sections).slice(0, 2)).toEqual(['/styleguide/foundations', '/styleguide/memo'])
    expect(sections.querySelector('small')?.textContent).toBe('Colors, Über <b>')
  })

  it('the cover shows a picture of each page’s content', () => {
    const cover: StyleguideTree = {
      title: 'Cover',
      pages: [
        { title: 'Colors', content: <ColorPage colors={[{ name: 'ink', value: '#123456' }]} /> },
        { title: 'Type', content: <TypographyPage typography={{ families: [{ name: 'serif', value: 'Georgia' }] }} /> },
        { title: 'Spacing', content: <SpacingPage scale={{ sizes: { small: '1rem', large: '3rem' } }} /> },
        { title: 'Radii', content: <RadiiPage radii={[{ name: 'round', value: '9px' }]} /> },
        componentPage({ title: 'Card', variants: [{ title: 'Wide', content: <p>card</p> }] }),
        { title: 'Written', text: '# Voice\n\nSay what is seen, then say why. More follows.', content: <p>x</p> },
        { title: 'Nothing', content: <RadiiPage radii={[]} /> },
      ],
    }
    const html = renderToStaticMarkup(<StyleguidePage tree={cover} slug="" />)
    expect(html).toMatch(
      /<ul class="sw-stripes"[^>]*><li><span.*?><span>ink<\/span><svg[^>]*><rect[^>]* fill="#123456">/,
    )
    expect(html).toMatch(/<div class="sw-cover"><svg [^>]*><rect[^>]* fill="light-dark\(#123456, transparent\)">/)
    expect(html).toMatch(/<h1 [^>]*><span.*?><span>Cover<\/span><svg [^>]*color="light-dark\(#fff, var\(--sw-text\)\)"/)
    show(html)
    const pictures = [...document.querySelectorAll('.sw-picture')]
    expect(
      pictures.map(
        (picture) =>
          picture.querySelector('[fill="#123456"], [font-family], [viewBox], [clip-path], iframe, p')?.outerHTML,
      ),
    ).toEqual([
      expect.stringContaining('<rect'),
      expect.stringContaining('font-family="Georgia"'),
      expect.stringContaining('<rect y="0" width="100" height="100">'),
      expect.stringContaining('clip-path="inset(0 round 9px)"'),
      expect.stringContaining('src="/styleguide/card/wide"'),
      '<p class="sw-words">Say what is seen, then say why.</p>',
      '<p class="sw-words">Nothing</p>',
    ])
    expect(pictures.every((picture) => picture.matches('[inert][aria-hidden=true]'))).toBe(true)
  })

  const rolesOf = (count: number): StyleguideTree => {
    const names = ['primary', 'on-primary', 'background', 'surface-container-highest', 'colorsWithoutAnyHyphen']
    const colors = Array.from({ length: count }, (_, index) => ({
      name: names[index] ?? `role-${index}`,
      value: `hsl(${index * 20} 50% 50%)`,
    }))
    return { title: 'Roles', pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }] }
  }

  it('a few colors are all on stripes, and of more the eight grounds with the shortest names', () => {
    const stripesOf = (count: number) => {
      show(renderToStaticMarkup(<StyleguidePage tree={rolesOf(count)} slug="" />))
      return [...document.querySelectorAll('.sw-stripes li')].map((stripe) => stripe.querySelector('span > span'))
    }
    expect(stripesOf(5).map((name) => name?.textContent)).toEqual(['primary', 'on-primary', 'background', '', ''])
    expect(stripesOf(12)).toHaveLength(12)
    expect(document.querySelectorAll('.sw-more')).toHaveLength(4)
    expect(stripesOf(20).map((name) => name?.textContent)).toEqual([
      'primary',
      ...[5, 6, 7, 8, 9, 10, 11].map((index) => `role-${index}`),
    ])
  })

  it('the head of a large palette has the site’s accent, and the names of its families on stripes', () => {
    const colors = ['gray', 'sky', 'rose'].flatMap((family, hue) =>
      Array.from({ length: 15 }, (_, step) => ({
        name: `${family}-${step + 1}`,
        value: `oklch(0.${95 - step * 5} ${hue / 10} ${hue * 100})`,
      })),
    )
    const large = { title: 'Large', pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }] }
    show(renderToStaticMarkup(<StyleguidePage tree={large} slug="" />))
    const names = [...document.querySelectorAll('.sw-stripes .sw-painted > span')].map((name) => name.textContent)
    expect(names).toEqual(['gray', 'sky', 'rose'])
    expect(document.querySelector('.sw-cover rect')?.getAttribute('fill')).toBe(
      'light-dark(var(--sw-accent), transparent)',
    )
  })

  it('pictures are in even rows, the shorter ones first, and pages of the first level have a heading of their own', () => {
    const pages = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `Page ${index}` }))
    show(
      renderToStaticMarkup(
        <StyleguidePage
          tree={{ title: 'Site', pages: [{ title: 'Section', pages: pages(5) }, ...pages(1)] }}
          slug=""
        />,
      ),
    )
    const rows = [...document.querySelectorAll('.sw-pictures li')].map((item) => item.className)
    expect(rows).toEqual([2, 2, 3, 3, 3, 1].map((count) => `sw-k${count} sw-n${count}`))
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Section',
      'More',
    ])
  })

  it('the lead is the description, or else content that is one short paragraph without markup', () => {
    const leadOf = (props: Partial<StyleguideTree>) => {
      show(renderToStaticMarkup(<StyleguidePage tree={{ title: 'Site', ...props }} slug="" />))
      return [
        document.querySelector('.sw-cover p span > span')?.textContent,
        document.querySelector('.sw-content')?.innerHTML,
      ]
    }
    expect(leadOf({ description: 'Short', content: <p>Long</p> })).toEqual(['Short', '<p>Long</p>'])
    expect(leadOf({ content: <p>Short</p> })).toEqual(['Short', undefined])
    const linked = (
      <p>
        <a href="/x">Long</a>
      </p>
    )
    expect(leadOf({ content: linked })).toEqual([undefined, '<p><a href="/x">Long</a></p>'])
    expect(leadOf({ content: () => <p>Component</p> })).toEqual([undefined, '<p>Component</p>'])
  })

  it('the index lists pages, component variants, and colors with their hex and everyday name, in groups', () => {
    show(renderToStaticMarkup(<StyleguidePage tree={indexed} slug="search" />))
    const entries = [...document.querySelectorAll('.sw-index a')].map((entry) => [
      entry.getAttribute('href'),
      entry.textContent,
      entry.getAttribute('data-sw-text')?.trim(),
      entry.getAttribute('data-sw-hex'),
    ])
    expect(entries).toEqual([
      ['/styleguide/colors', 'Colors', undefined, null],
      ['/styleguide/colors#color-brand', 'brand #7d2c1b #e3a17c', '#7d2c1b #e3a17c rust tan', '#7d2c1b #e3a17c'],
      ['/styleguide', 'Site', undefined, null],
      ['/styleguide/colors', 'Colors 1 color in light and dark', '1 color in light and dark Site', null],
      ['/styleguide/card', 'Card Links to an article', 'Links to an article Site Wide', null],
      ['/styleguide/written', 'Written', 'Site Say what is seen.', null],
      ['/styleguide/type', 'Type', 'Site lead 1.5rem font-size.lead 24px', null],
    ])
  })

  it('the index shows a large palette as families, with the texts of their colors for the search', () => {
    const steps = Array.from({ length: 41 }, (_, step) => ({ name: `red-${step}`, value: `hsl(0 80% ${step + 20}%)` }))
    const large = { title: 'Site', pages: [{ title: 'Colors', content: <ColorPage colors={steps} /> }] }
    show(renderToStaticMarkup(<StyleguidePage tree={large} slug="search" />))
    const family = document.querySelector('a:has(.sw-family)')
    expect(family?.getAttribute('href')).toBe('/styleguide/colors#colors-red')
    expect(family?.getAttribute('data-sw-text')).toContain('red-40')
    expect(family?.getAttribute('data-sw-hex')?.split(' ')).toHaveLength(41)
    show(renderToStaticMarkup(<StyleguidePage tree={large} slug="search" query={{ q: 'red-4' }} />))
    expect([...document.querySelectorAll('.sw-swatches strong')].map(({ textContent }) => textContent)).toEqual([
      'red-4',
      'red-40',
    ])
  })

  it('results are in groups, the best first, and a variant is below its component', () => {
    const variants = ['Quote', 'Quiet'].map((title) => ({ title, content: <p>quote</p> }))
    const grouped: StyleguideTree = {
      title: 'Site',
      pages: [
        { title: 'Writing', pages: [{ title: 'Voice', content: <p>We quote people whole</p> }] },
        { title: 'Colors', content: <ColorPage colors={[{ name: 'quote', value: '#123456' }]} /> },
        { title: 'Components', pages: [{ title: 'Quoted' }, componentPage({ title: 'Pull quote', variants })] },
      ],
    }
    show(renderToStaticMarkup(<StyleguidePage tree={grouped} slug="search" query={{ q: 'quote' }} />))
    const groups = [...document.querySelectorAll('main .sw-found > section')]
    const titlesIn = (element: Element, titles: string) =>
      [...element.querySelectorAll(titles)].map(({ textContent }) => textContent)
    expect(groups.map((group) => titlesIn(group, 'h2, strong'))).toEqual([
      ['Colors', 'quote'],
      ['Components', 'Quoted', 'Pull quote', 'Quote'],
      ['Writing', 'Voice'],
    ])
    expect(groups.map((group) => titlesIn(group, 'li li strong'))).toEqual([[], ['Quote'], []])
  })

  it('a query shows what it finds, with the words marked, a picture, and why it was found', () => {
    const resultsOf = (query: string) => {
      show(renderToStaticMarkup(<StyleguidePage tree={indexed} slug="search" query={{ q: query }} />))
      const results = [...document.querySelectorAll('main .sw-found li')]
      expect(results.every((result) => result.querySelector('.sw-picture, .sw-bands'))).toBe(true)
      return results.map((result) => result.querySelector('a')?.innerHTML.replace(/<\/?(?:strong|small)>/g, ''))
    }
    expect(resultsOf('seen')).toEqual(['Written Say what is <mark>seen</mark>.'])
    expect(resultsOf('article')).toEqual(['Card Links to an <mark>article</mark>'])
    expect(resultsOf('24px')).toEqual(['Type … 1.5rem font-size.lead <mark>24px</mark>'])
    expect(resultsOf('card')).toEqual(['<mark>Card</mark> Links to an article'])
    expect(resultsOf('wide')).toEqual(['Card <mark>Wide</mark>'])
    expect(resultsOf('#7d2c1c')).toEqual(['brand #7d2c1b · ΔE 0.3'])
    expect(document.querySelector('.sw-found [fill="#7d2c1c"]')).not.toBeNull()
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent === englishLabels.noColor)).toBe(true)
    expect(resultsOf('cart')).toEqual(['Card Links to an article'])
    expect(screen.getAllByRole('status').some(({ textContent }) => textContent === englishLabels.nearest)).toBe(true)
    expect(resultsOf('nothing')).toEqual([])
    expect(document.querySelector('.sw-index')).not.toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Search')
  })

  it('a bare page is shown without the shell, and is in no list', () => {
    const withBare: StyleguideTree = {
      title: 'Styleguide',
      pages: [
        { title: 'Frame', bare: true, content: ({ href }) => <p>{href}</p>, pages: [{ title: 'Below', content: 'x' }] },
        { title: 'Empty', bare: true },
        { title: 'Card' },
      ],
    }
    const renderBare = (slug: string, props = {}) =>
      renderToStaticMarkup(<StyleguidePage tree={withBare} slug={slug} {...props} />)
    expect(renderBare('frame')).toBe('<p>/styleguide/frame</p>')
    expect(renderBare('empty')).toBe('')
    expect(renderBare('frame', { error: 'broken' })).toMatch(/^<section class="sw-error".*<p>broken<\/p><\/section>$/)
    show(renderBare(''))
    expect(linksOf(document.body)).toEqual([
      '#sw-content',
      '/styleguide',
      '/styleguide/card',
      '/styleguide/search',
      '/styleguide/card',
    ])
    expect(mainOf(renderBare('frame/below'))).toContain('<div class="sw-content">x</div>')
  })

  it('a page has landmarks, a skip link, a single h1, and a menu that opens without JavaScript', () => {
    const html = render('foundations/colors')
    expect(html).toMatch(
      /^<div class="sw-styleguide"><a class="sw-skip" href="#sw-content">Skip to content<\/a><header/,
    )
    expect(html).toMatch(/<nav class="sw-nav" id="sw-nav" aria-label="Styleguide pages" popover="auto">/)
    expect(html).toMatch(/<button class="sw-menu sw-field" type="button" popovertarget="sw-nav">Menu<\/button>/i)
    show(html)
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(screen.getAllByRole('main')).toHaveLength(1)
    expect(screen.getByRole('link', { name: 'Skip to content' }).getAttribute('href')).toBe('#sw-content')
    expect(screen.getByRole('banner')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Menu' })).toBeDefined()
    const pages = screen.getByRole('navigation', { name: 'Styleguide pages' })
    expect(within(pages).getByRole('searchbox', { name: 'Search' }).closest('search')?.className).toBe('sw-search')
    expect(html).toContain(
      '<search class="sw-search"><form action="/styleguide/search"><input class="sw-field" type="search"',
    )
    expect(screen.getAllByRole('status')).toHaveLength(2)
  })

  it('titles are escaped, and a page has neither script nor style', () => {
    const html = render('foundations/über/uns')
    expect(html).toContain('<h1 class="sw-title">Über &lt;b&gt;</h1>')
    expect(html).not.toMatch(/<script|<style| style=|on\w+=/)
  })

  it('all labels are rendered', () => {
    const labels = Object.fromEntries(Object.keys(englishLabels).map((name) => [name, `⟨${name}⟩`]))
    const html =
      ['foundations/colors', 'search', 'nothing'].map((slug) => render(slug, { labels })).join('') +
      render('', { labels }) +
      render('', { labels, error: 'x' }) +
      render('foundations/colours', { labels }) +
      render('search', { labels, query: { q: 'colors' } }) +
      renderToStaticMarkup(<StyleguidePage tree={indexed} slug="search" labels={labels} query={{ q: '#123456' }} />)
    for (const label of Object.values(labels)) expect(html).toContain(label)
    for (const label of Object.values(englishLabels)) expect(html).not.toContain(`>${label}<`)
  })

  it('a page without a tree or with an invalid slug does not compile', () => {
    // @ts-expect-error the tree is missing
    const withoutTree = <StyleguidePage slug="a" />
    // @ts-expect-error without a slug, every page would be the root
    const withoutSlug = <StyleguidePage tree={tree} />
    const root = <StyleguidePage tree={tree} slug={undefined} />
    // @ts-expect-error a slug is not a number
    const wrongSlug = <StyleguidePage tree={tree} slug={1} />
    // @ts-expect-error a page has a title
    const withoutTitle = <StyleguidePage tree={{ path: 'a' }} slug="" />
    expect([withoutTree, withoutSlug, root, wrongSlug, withoutTitle]).toHaveLength(5)
  })
})
