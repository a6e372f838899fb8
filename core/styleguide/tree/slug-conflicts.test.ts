import { afterEach, expect, it, vi } from 'vitest'
import { findPage } from './find.js'
import { findSlugConflicts } from './slug-conflicts.js'
import type { StyleguideNode } from './tree.js'

const conflicts = (...pages: StyleguideNode[]) =>
  findSlugConflicts({ title: 'Root', pages }).map(({ slug, pages }) => [slug, pages.length])

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

it.each<[string, StyleguideNode[], unknown[]]>([
  ['two titles', [{ title: 'Colors' }, { title: 'Colors!' }], [['colors', 2]]],
  ['a title and a path', [{ title: 'Colors' }, { title: 'Palette', path: 'colors' }], [['colors', 2]]],
  [
    'two paths',
    [
      { title: 'A', path: '/x/y' },
      { title: 'B', path: 'x/y/' },
    ],
    [['x/y', 2]],
  ],
  [
    'two Unicode forms',
    [
      { title: 'A', path: 'é' },
      { title: 'B', path: 'e\u0301' },
    ],
    [['é', 2]],
  ],
  [
    '__proto__',
    [
      { title: 'A', path: '__proto__' },
      { title: 'B', path: '__proto__' },
    ],
    [['__proto__', 2]],
  ],
  ['no slug at all', [{ title: '🎨' }, { title: '!' }], [['', 2]]],
  ['one without a slug', [{ title: '🎨' }], [['', 1]]],
  ['nested pages', [{ title: 'A', pages: [{ title: 'B' }, { title: 'B' }] }], [['b', 2]]],
  [
    'one title, two paths',
    [
      { title: 'Overview', path: 'a' },
      { title: 'Overview', path: 'b' },
    ],
    [],
  ],
  [
    'cousins',
    [
      { title: 'A', pages: [{ title: 'X' }] },
      { title: 'B', pages: [{ title: 'X' }] },
    ],
    [],
  ],
])('%s', (_, pages, found) => expect(conflicts(...pages)).toEqual(found))

it('terminates for a tree that contains itself', () => {
  const pages: StyleguideNode[] = []
  const root: StyleguideNode = { title: 'A', pages }
  pages.push(root, root)
  expect(findSlugConflicts(root)).toHaveLength(1)
})

it('warns once per tree in development, and never in production', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const tree = () => ({ title: 'Root', pages: [{ title: 'Colors' }, { title: 'colors' }, { title: '?' }] })
  vi.stubEnv('NODE_ENV', 'production')
  findPage(tree())
  expect(warn).not.toHaveBeenCalled()
  vi.stubEnv('NODE_ENV', 'development')
  const one = tree()
  findPage(one)
  findPage(one, 'colors')
  expect(warn.mock.calls).toEqual([
    ["styleguide: 'Colors', 'colors' below 'Root' share the slug 'colors'; set a different 'path' on each"],
    ["styleguide: '?' below 'Root' has no slug; set 'path'"],
  ])
})
