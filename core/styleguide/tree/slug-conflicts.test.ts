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
  ['no slug at all', [{ title: '🎨' }, { title: '!' }], ['']],
  ['one without a slug', [{ title: '🎨' }], ['']],
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
    ["styleguide: no slug for '?' below 'Root'; set 'path'"],
  ])
})
