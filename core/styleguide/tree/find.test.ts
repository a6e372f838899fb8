import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findPage, type Slug } from './find.js'
import { slugify } from './slugs.js'
import { pathSegments, type StyleguideNode } from './tree.js'

const tree: StyleguideNode<string> = {
  title: 'Styleguide',
  content: 'root',
  pages: [
    {
      title: 'Foundations',
      pages: [
        { title: 'Colors & contrast', path: 'colors', content: 'colors' },
        { title: 'Typography', path: '/text/families/', content: 'typography' },
        { title: 'Text', pages: [{ title: 'Sizes', content: 'sizes' }] },
      ],
    },
    { title: 'Überschriften', content: 'headings', path: '' },
    { title: 'ﬁles', path: 'caf%C3%A9', content: 'café' },
    { title: 'Percent', path: '100%', content: 'percent' },
  ],
}

const find = (slug: Slug) => findPage(tree, slug)?.page.content
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

describe('slugs in the form of each server', () => {
  it.each<[string, Slug, string | undefined]>([
    ['nothing', undefined, 'root'],
    ['null', null, 'root'],
    ['an empty string', '', 'root'],
    ['a slash', '/', 'root'],
    ['an empty array', [], 'root'],
    ['an array of an empty item', [''], 'root'],
    ['Hono: one string', 'foundations/colors', 'colors'],
    ['a slash at each end', '/foundations/colors/', 'colors'],
    ['doubled slashes', 'foundations//colors', 'colors'],
    ['Express: decoded, with an empty last item', ['foundations', 'colors', ''], 'colors'],
    ['Express: decoded letters', ['überschriften'], 'headings'],
    ['Next.js: encoded', ['%C3%BCberschriften'], 'headings'],
    ['encoded twice', ['%25C3%25BCberschriften'], undefined],
    ['decomposed (NFD)', 'u\u0308berschriften', 'headings'],
    ['a compatibility form', 'ﬁles', 'café'],
    ['full width', 'ｆｏｕｎｄａｔｉｏｎｓ/colors', 'colors'],
  ])('findPage reads the slug: %s', (_, slug, content) => expect(find(slug)).toBe(content))
})

describe('segments of a slug', () => {
  it.each<[string, Slug, string | undefined]>([
    ['against the path', 'foundations/colors', 'colors'],
    ['against the title’s slug', 'foundations/colors-contrast', 'colors'],
    ['not against the title itself', 'foundations/Colors & contrast', undefined],
    ['not against another letter case', 'Foundations/colors', undefined],
    ['against a path of two segments', 'foundations/text/families', 'typography'],
    ['not against half of a path', 'foundations/text/', undefined],
    ['against a title although a path begins with the same segment', 'foundations/text/sizes', 'sizes'],
    ['against the title instead of a path of two segments', 'foundations/typography', 'typography'],
    ['against a path that the tree has encoded', 'café', 'café'],
    ['against a path with a lone percent sign, which the slug has encoded', '100%25', 'percent'],
    ['among the children only', 'colors', undefined],
    ['only if all segments match', 'foundations/colors/more', undefined],
  ])('how a segment of a slug is matched: %s', (_, slug, content) => expect(find(slug)).toBe(content))
})

describe('bad input', () => {
  it.each<[string, unknown]>([
    ['a lone percent sign', '%'],
    ['a malformed escape', 'foundations/%zz'],
    ['an escape that is not UTF-8', ['%ff']],
    ['an encoded slash in an array', ['foundations%2Fcolors']],
    ['an encoded slash in a string', 'foundations%2Fcolors'],
    ['dot segments', 'foundations/../foundations/colors'],
    ['encoded dot segments', 'foundations/%2e%2e/foundations'],
    ['__proto__', '__proto__'],
    ['constructor', ['constructor', 'name']],
    ['toString', 'toString'],
    ['a NUL', 'foundations\0'],
    ['a lone surrogate', '\ud800'],
    ['10,000 segments', Array(10_000).fill('foundations')],
    ['a string of 10,000 segments', 'foundations/'.repeat(10_000)],
    ['a megabyte', 'a'.repeat(1_000_000)],
    ['numbers', [1, 2]],
    ['nested arrays', [['foundations']]],
  ])('bad input matches no page and throws no error: %s', (_, slug) => {
    expect(findPage(tree, slug as Slug)).toBeUndefined()
  })

  it('pages may be named like properties of Object.prototype', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const odd: StyleguideNode = { title: '', pages: names.map((path) => ({ title: 'Same', path })) }
    for (const name of names) expect(findPage(odd, name)?.page.path).toBe(name)
  })
})

describe('the trail', () => {
  it('the trail goes from the root to the page, with one entry for a path of several segments', () => {
    const titles = findPage(tree, 'foundations/text/families')?.trail.map(({ title }) => title)
    expect(titles).toEqual(['Styleguide', 'Foundations', 'Typography'])
    expect(findPage(tree)?.trail).toEqual([tree])
  })
})

describe('several siblings that could match', () => {
  const leaf = (content: string, path?: string): StyleguideNode<string> => ({ title: 'Leaf', path, content })

  it('all siblings that match a segment are tried', () => {
    const two: StyleguideNode<string> = {
      title: '',
      pages: [
        { title: 'Same', pages: [{ title: 'One' }] },
        { title: 'Same', pages: [{ title: 'Two', content: 'two' }] },
      ],
    }
    expect(findPage(two, 'same/two')?.page.content).toBe('two')
    expect(findPage(two, 'same/two')?.trail[1]).toBe(two.pages?.[1])
    expect(findPage(two, 'same')?.page).toBe(two.pages?.[0])
  })

  it('a sibling with the path precedes a sibling with the title', () => {
    const two: StyleguideNode<string> = { title: '', pages: [leaf('title'), leaf('path', 'leaf')] }
    expect(findPage(two, 'leaf')?.page.content).toBe('path')
  })

  it('a lookup takes linear time, however many pages are equal', () => {
    let level: StyleguideNode[] = [{ title: 'a', path: 'a/a' }]
    for (let depth = 0; depth < 24; depth++) {
      const pages = level
      // Shared subtrees: 3^24 routes through 72 objects. Paths of one segment and of two segments lead to each object.
      level = ['a', 'a/a', 'a'].map((path) => ({ title: 'a', path, pages }))
    }
    const equal: StyleguideNode = { title: '', pages: level.slice(0, 1) }
    expect(findPage(equal, ['a', 'b'])).toBeUndefined()
    const siblings: StyleguideNode = {
      title: '',
      pages: Array.from({ length: 300 }, () => ({
        title: 'a',
        pages: Array.from({ length: 300 }, () => ({ title: 'a', path: 'a/a' })),
      })),
    }
    expect(findPage(siblings, 'a/a/a/a')).toBeUndefined()
    expect(findPage(siblings, 'a/a/a')?.trail).toHaveLength(3)
  })

  it('a lookup visits each page once per depth', () => {
    // A page is reached by one segment (its title) or two (its path): the routes to each depth are Fibonacci numbers.
    let chain: StyleguideNode = { title: 'x', path: 'x/x', content: 'end' }
    for (let depth = 0; depth < 500; depth++) chain = { title: 'x', path: 'x/x', pages: [chain] }
    const root: StyleguideNode = { title: '', pages: [chain] }
    // Paths take precedence: 250 paths of two segments, and one title.
    expect(findPage(root, Array(501).fill('x'))?.trail).toHaveLength(252)
    expect(findPage(root, Array(1002).fill('x'))?.page.content).toBe('end')
    expect(findPage(root, Array(1003).fill('x'))).toBeUndefined()
  })
})

it('findPage handles 10,000 levels, and a tree that contains itself', () => {
  let deep: StyleguideNode = { title: 'end' }
  for (let depth = 0; depth < 10_000; depth++) deep = { title: 'level', pages: [deep] }
  expect(findPage(deep, [...Array(9_999).fill('level'), 'end'])?.page.title).toBe('end')

  const pages: StyleguideNode[] = []
  const circular: StyleguideNode = { title: 'again', pages }
  pages.push(circular)
  expect(findPage(circular, 'again/again')?.trail).toEqual([circular, circular, circular])
})

it('findPage reads only the pages along the slug', () => {
  const visited: string[] = []
  const page = (title: string, pages: StyleguideNode[]): StyleguideNode => ({
    title,
    get pages() {
      visited.push(title)
      return pages
    },
  })
  const root = page('root', [page('a', [page('b', [])]), page('c', [page('d', [])])])
  vi.stubEnv('NODE_ENV', 'production')
  for (let time = 0; time < 3; time++) expect(findPage(root, 'a/b')?.page.title).toBe('b')
  vi.unstubAllEnvs()
  expect(visited).toEqual(['root', 'a'])
})

describe('random trees', () => {
  const words = fc.constantFrom('a', 'b', 'a-b', 'Ä')
  const paths = fc.option(
    fc.array(words, { maxLength: 2 }).map((parts) => parts.join('/')),
    { nil: undefined },
  )
  const { node } = fc.letrec<{ node: StyleguideNode }>((tie) => ({
    node: fc.record({
      title: words,
      path: paths,
      pages: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('node'), { maxLength: 3 })),
    }),
  }))

  it('findPage returns the same page as a search that tries all siblings in turn', () => {
    fc.assert(
      fc.property(node, fc.array(fc.constantFrom('a', 'b', 'a-b', 'ä', 'Ä'), { maxLength: 4 }), (root, slug) => {
        expect(findPage(root, slug)?.trail).toEqual(tryAll(root, slug))
      }),
    )
  })
})

/** A literal implementation of the contract, which may take exponential time. */
function tryAll(page: StyleguideNode, slug: readonly string[]): StyleguideNode[] | undefined {
  if (slug.length === 0) return [page]
  const startsWith = (parts: readonly string[]) =>
    parts.length > 0 && parts.every((part, index) => slug[index] === part)
  const byPath = (page.pages ?? []).map((child) => [child, pathSegments(child.path)] as const)
  const byTitle = (page.pages ?? []).map((child) => [child, [slugify(child.title)]] as const)
  // Ordered by the next segment of the slug; a path of two segments keeps its position.
  for (const [child, parts] of [...byPath, ...byTitle]) {
    const rest = startsWith(parts) ? tryAll(child, slug.slice(parts.length)) : undefined
    if (rest) return [page, ...rest]
  }
  return undefined
}
