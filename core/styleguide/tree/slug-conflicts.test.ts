import { afterEach, expect, it, vi } from 'vitest'
import { findPage, findSlugConflicts } from './find.js'
import type { StyleguideNode } from './tree.js'

const conflicts = (...pages: StyleguideNode[]) =>
  findSlugConflicts({ title: 'Root', pages }).map((conflict) => /share the slug '(.*)';/.exec(conflict)?.[1] ?? '')

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

it.each<[string, StyleguideNode[], unknown[]]>([
  ['two titles', [{ title: 'Colors' }, { title: 'Colors!' }], ['colors']],
  ['a title and a path', [{ title: 'Colors' }, { title: 'Palette', path: 'colors' }], ['colors']],
  [
    'two paths',
    [
      { title: 'A', path: '/x/y' },
      { title: 'B', path: 'x/y/' },
    ],
    ['x/y'],
  ],
  [
    'two Unicode forms',
    [
      { title: 'A', path: 'é' },
      { title: 'B', path: 'e\u0301' },
    ],
    ['é'],
  ],
  [
    '__proto__',
    [
      { title: 'A', path: '__proto__' },
      { title: 'B', path: '__proto__' },
    ],
    ['__proto__'],
  ],
  ['two pages without a slug', [{ title: '🎨' }, { title: '!' }], ['']],
  ['one page without a slug', [{ title: '🎨' }], ['']],
  ['nested pages', [{ title: 'A', pages: [{ title: 'B' }, { title: 'B' }] }], ['b']],
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
])('findSlugConflicts lists conflicts: %s', (_, pages, slugs) => expect(conflicts(...pages)).toEqual(slugs))

it('findSlugConflicts terminates for a tree that contains itself', () => {
  const pages: StyleguideNode[] = []
  const root: StyleguideNode = { title: 'A', pages }
  pages.push(root, root)
  expect(findSlugConflicts(root)).toHaveLength(1)
})

it('conflicts cause one warning per tree in development, and no warning in production', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const createTree = () => ({ title: 'Root', pages: [{ title: 'Colors' }, { title: 'colors' }, { title: '?' }] })
  vi.stubEnv('NODE_ENV', 'production')
  findPage(createTree())
  expect(warn).not.toHaveBeenCalled()
  vi.stubEnv('NODE_ENV', 'development')
  const tree = createTree()
  findPage(tree)
  findPage(tree, 'colors')
  expect(warn.mock.calls).toEqual([
    ["styleguide: 'Colors', 'colors' below 'Root' share the slug 'colors'; set a different 'path' on each"],
    ["styleguide: no slug for '?' below 'Root'; set 'path'"],
  ])
})
