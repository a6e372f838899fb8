import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findPage } from '../../core/styleguide/internal.js'
import { findSlugConflicts } from '../../core/styleguide/tree/find.js'
import { StyleguidePage, type StyleguideTree } from '../../react/styleguide/index.js'
import { type MarkdownPage, readStyleguidePages } from './index.js'
import { markdownPage } from './markdown-page.js'

const html = ({ content }: MarkdownPage, props = {}) => renderToStaticMarkup(createElement(content as never, props))
const Swatch = ({ color }: { color: string }) => createElement('b', { 'data-color': color }, 'swatch')

describe('a page’s name', () => {
  it.each<[string, string, string, Partial<MarkdownPage>]>([
    ['a heading', 'x.md', '# All *colors* `a`\n\ntext', { title: 'All colors a', path: 'x' }],
    ['a heading after text', 'x.md', 'text\n\n# Colors', { title: 'Colors' }],
    ['a heading after an import', 'x.mdx', 'export const a = 1\n\n# Colors', { title: 'Colors' }],
    ['only a file name', 'type-scale.md', '## Not me', { title: 'Type scale', path: 'type-scale' }],
    [
      'a number before its file name',
      '02-type_scale.mdx',
      'text',
      { title: 'Type scale', path: 'type-scale', order: 2 },
    ],
    ['a number that belongs to its file name', '404-page.md', '', { title: '404 page', path: '404-page' }],
    ['a date in its file name', '2024-03-notes.md', '', { title: '2024 03 notes', path: '2024-03-notes' }],
    ['a number with zeros before its file name', '001-x.md', '', { title: 'X', path: 'x', order: 1 }],
    ['a number as its file name', '404.md', 'text', { title: '404', path: '404' }],
    ['any letters in its file name', 'pages/Über uns.md', '', { title: 'Über uns', path: 'über-uns' }],
    [
      'a front matter',
      '1-x.md',
      '---\ntitle: "A: \\"b\\""\npath: a/b\norder: 7\n---\n# C',
      { title: 'A: "b"', path: 'a/b', order: 7 },
    ],
    ['a plain title', 'x.md', "---\r\ntitle: It's # no\r\n---\r\n", { title: "It's" }],
    ['a quoted title', 'x.md', "---\ntitle: 'It''s' # x\n---", { title: "It's" }],
    ['only an order in the front matter', '9-x.md', '---\norder: -1.5\n---\n# X', { title: 'X', order: -1.5 }],
    ['a nested title, which is ignored', 'x.md', '---\nseo:\n  title: No\ntags:\n  - a\n---\n# X', { title: 'X' }],
    ['an empty title', 'x.md', '---\ntitle:\n---\n# X', { title: 'X' }],
    ['an empty front matter', 'x.md', '---\n---\n# X', { title: 'X' }],
    ['a byte order mark', 'x.md', '\uFEFF---\ntitle: X\n---', { title: 'X' }],
    ['a thematic break, which is not front matter', 'x.md', '---\ntitle: Y\n\n# X', { title: 'X' }],
    ['nothing', 'x.md', '', { title: 'X' }],
  ])('reads the name of a page with %s', async (_, file, source, name) =>
    expect(await markdownPage(source, file)).toMatchObject(name),
  )
})

describe('a page’s content', () => {
  it('a page has ids on its headings, and its title only once', async () => {
    const page = await markdownPage('# Colors\n\n## Über *uns*\n\n## Über uns\n\n### 🎨\n\n> ## Über uns 2', 'x.md')
    expect(html(page).replaceAll('\n', '')).toBe(
      '<h2 id="über-uns">Über <em>uns</em></h2><h2 id="über-uns-2">Über uns</h2><h3>🎨</h3>' +
        '<blockquote><h2 id="über-uns-2-2">Über uns 2</h2></blockquote>',
    )
  })

  it('a page keeps a heading that differs from the title in the front matter', async () => {
    expect(html(await markdownPage('---\ntitle: A\n---\n# B', 'x.md'))).toBe('<h1 id="b">B</h1>')
    expect(html(await markdownPage('---\ntitle: A\n---\n# A', 'x.md'))).toBe('')
  })

  it('a page in MDX can use the components of the option, its props and code', async () => {
    const source = 'export const size = 4\n\n# X\n\n<Swatch color="red" />\n\n{size + 1} {props.page.title} [a](/b)'
    const page = await markdownPage(source, 'x.mdx', { components: { Swatch, a: 'ins' } })
    expect(html(page, { page })).toBe('<b data-color="red">swatch</b>\n<p>5 X <ins href="/b">a</ins></p>')
  })

  it('a page in Markdown contains neither code nor HTML', async () => {
    const page = await markdownPage('{1 + 1} <Swatch/>\n\n<script>alert(1)</script>\n\nimport x from "y"', 'x.md')
    expect(html(page)).toBe('<p>{1 + 1} </p>\n\n<p>import x from &quot;y&quot;</p>')
  })

  it.each([
    ['a\n\n<b>x</b> y', 'x.md:3: <b> is left out; HTML needs .mdx'],
    ['---\ntitle: T\n---\n\n| a | b |\n| - | - |\n| 1 | 2 |', 'x.md:6: a table is shown as text; it needs remark-gfm'],
    ['- [x] done', 'x.md:1: a task list is shown as text; it needs remark-gfm'],
    ['<!-- a note -->\n\n---\n\n```md\n- [ ] x\n```', undefined],
  ])('a page in Markdown warns about content that it does not show: %j', async (source, warning) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    await markdownPage(source, 'x.md')
    expect(warn.mock.calls[0]?.[0]).toBe(warning)
    warn.mockRestore()
  })

  it('plugins of a page see the ids of its headings', async () => {
    const seenProperties: unknown[] = []
    const plugin = () => (root: { children: { properties: object }[] }) =>
      void seenProperties.push(root.children[0]?.properties)
    await markdownPage('## A', 'x.md', { rehypePlugins: [plugin as never] })
    expect(seenProperties).toEqual([{ id: 'a' }])
  })
})

describe('errors name file, line, column and reason', () => {
  it.each<[string, string, RegExp]>([
    ['an unclosed tag', 'text\n\n<Swatch>', /^x\.mdx:3:1.*: Expected a closing tag for `<Swatch>`/],
    ['an unclosed expression', '# A\n\n{1 +', /^x\.mdx:3:\d+: .*Unexpected end of file in expression/],
    ['a malformed expression', '---\ntitle: A\n---\n\n{1 +* 2}', /^x\.mdx:5:\d+: Could not parse expression.*/],
    ['a malformed import', 'import {', /^x\.mdx:1:\d+: Could not parse import.*/],
    ['an import of a missing file', 'import x from "./nowhere.js"', /^x\.mdx: .*nowhere\.js/],
    ['code that throws', 'export const a = null.b', /^x\.mdx: Cannot read properties of null/],
    [
      'an order that is not a number',
      '---\ntitle: A\norder: first\n---',
      /^x\.mdx:3: order: expected a number, got 'first'$/,
    ],
    [
      'a title over several lines',
      '---\ntitle: >\n  A\n---',
      /^x\.mdx:2: title: expected plain or quoted text on one line, got '>'$/,
    ],
    [
      'an unclosed quote',
      '---\ntitle: "A\n---',
      /^x\.mdx:2: title: expected plain or quoted text on one line, got '"A'$/,
    ],
  ])('the error for %s names file, line, column and reason', async (_, source, message) => {
    await expect(markdownPage(source, 'x.mdx')).rejects.toThrow(message)
  })

  it('a missing component throws when the page is rendered', async () => {
    const page = await markdownPage('<Swatch/>', 'x.mdx')
    expect(() => html(page)).toThrow(/Expected component `Swatch` to be defined/)
  })
})

describe('a folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pages-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
  }
  const outline = ({ title, path, pages = [] }: MarkdownPage): unknown =>
    pages.length > 0 ? { [`${path}: ${title}`]: pages.map((page) => outline(page)) } : `${path}: ${title}`

  it('a folder becomes a sorted tree', async () => {
    await write({
      'index.md': '# Our guide\n\nWelcome',
      'b.md': '',
      'a10.md': '',
      'a9.md': '',
      '02-two.md': '# Zwei',
      'one.md': '---\norder: 1\n---',
      'voice/index.mdx': '---\norder: 3\npath: tone\n---\n# Tone of voice',
      'voice/10-z.md': '',
      'voice/2-y.MDX': '',
      'voice/deep/er/x.md': '',
      'empty/folder/notes.txt': '',
      '.hidden.md': '',
      '.git/x.md': '',
      'x.txt': '',
    })
    await symlink('/etc', join(folder, 'etc'))
    await symlink(join(folder, 'b.md'), join(folder, 'link.md'))
    const root = await readStyleguidePages(folder)
    expect(root.title).toBe('Our guide')
    expect(html(root)).toBe('<p>Welcome</p>')
    expect(root.pages?.map((page) => outline(page))).toEqual([
      'one: One',
      'two: Zwei',
      { 'tone: Tone of voice': ['y: Y', 'z: Z', { 'deep: Deep': [{ 'er: Er': ['x: X'] }] }] },
      'a9: A9',
      'a10: A10',
      'b: B',
    ])
    expect(findPage(root, 'tone/deep/er/x')?.page.title).toBe('X')
    expect(findSlugConflicts(root)).toEqual([])
  })

  it('a folder with a broken page still shows all its other pages', async () => {
    await write({ 'a.mdx': '# A\n\n<b>', 'b.md': '# B\n\nfine', 'c/index.mdx': '{', 'd.md': '---\norder: x\n---' })
    const log = vi.fn()
    const root = await readStyleguidePages(folder, { log })
    expect(root.pages?.map(({ title }) => title)).toEqual(['A', 'B', 'C', 'D'])
    expect(log.mock.calls.flat()).toEqual([
      expect.stringMatching(/^styleguide: .*a\.mdx:3:1.*Expected a closing tag/),
      expect.stringMatching(/^styleguide: .*index\.mdx:1:\d+: /),
      expect.stringMatching(/^styleguide: .*d\.md:2: order: /),
    ])
    expect(() => html(root.pages?.[0] as MarkdownPage)).toThrow(/a\.mdx:3:1.*Expected a closing tag/)
    const tree: StyleguideTree = root
    expect(renderToStaticMarkup(createElement(StyleguidePage, { tree, slug: 'b' }))).toContain('<p>fine</p>')
  })

  it('links between files lead to pages, wherever the pages are in the tree, and dead links cause warnings', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const otherLinks = '[d](https://example.com/a.md) [e](/a.md) [f](a.txt)'
    await write({
      'index.md': '[a](./voice/01-tone.md#calm) [b](voice/index.mdx)',
      'voice/index.mdx': `[a](../index.md) [b](./01-tone.md?x#y) ${otherLinks}`,
      'voice/01-tone.md': '[a](../%C3%BCber%20uns.md)\n\n[gone](./gone.md) [outside](../../gone/x.md)',
      'über uns.md': '[a]\n\n[a]: voice/01-tone.md',
    })
    const { content, pages = [] } = await readStyleguidePages(folder)
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringMatching(/01-tone\.md:3: the link \.\/gone\.md leads to no file$/),
      expect.stringMatching(/01-tone\.md:3: the link \.\.\/\.\.\/gone\/x\.md leads to no file$/),
    ])
    warn.mockRestore()
    const hrefsOf = (tree: object, slug: string, prefix: string) => {
      const props = { tree: tree as StyleguideTree, slug, prefix }
      const [, main = ''] = renderToStaticMarkup(createElement(StyleguidePage, props)).split('class="sw-content">')
      return [...main.replace(/<\/div>.*/, '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    }
    const top = { title: 'Site', content, pages }
    expect(hrefsOf(top, '', '/')).toEqual(['/voice/tone#calm', '/voice'])
    expect(hrefsOf(top, 'voice', '/guide')).toEqual([
      '/guide',
      '/guide/voice/tone?x#y',
      'https://example.com/a.md',
      '/a.md',
      'a.txt',
    ])
    const below = { title: 'Site', pages: [{ title: 'Words', content, pages }] }
    expect(hrefsOf(below, 'words/voice/tone', '/styleguide')).toEqual([
      '/styleguide/words/%C3%BCber-uns',
      './gone.md',
      '../../gone/x.md',
    ])
    expect(hrefsOf(below, 'words/über-uns', '/styleguide')).toEqual(['/styleguide/words/voice/tone'])
  })

  it('pages of a folder can import modules beside them', async () => {
    await write({ 'x.mdx': 'import { size } from "./size.mjs"\n\n{size}', 'size.mjs': 'export const size = 4' })
    const { pages = [] } = await readStyleguidePages(folder)
    expect(html(pages[0] as MarkdownPage)).toBe('4')
  })

  it('a folder that has two index pages or does not exist rejects', async () => {
    await write({ 'index.md': '', 'index.mdx': '' })
    await expect(readStyleguidePages(folder)).rejects.toThrow(/has two index pages; keep one/)
    await expect(readStyleguidePages(join(folder, 'none'))).rejects.toThrow(/ENOENT.*none/)
  })
})
