import { describe, expect, it, vi } from 'vitest'
import { findPage } from './find.js'
import type { StyleguideNode } from './tree.js'
import { checkTree, getNeighbors } from './tree.js'

const tree: StyleguideNode = {
  title: 'Styleguide',
  pages: [
    { title: 'Foundations', pages: [{ title: 'Colors' }, { title: 'Type', path: 'über/type' }] },
    { title: '🎨', pages: [{ title: 'Below no URL' }] },
    {
      title: 'Components',
      pages: [{ title: 'Frame', bare: true, pages: [{ title: 'Below a bare one' }] }, { title: 'Card' }],
    },
    { title: 'Card!', path: 'components/card' },
    { title: 'Components' },
    { title: 'Last' },
  ],
}

const neighbors = (slug: string) => {
  const { previous, next } = getNeighbors('/guide', findPage(tree, slug)?.trail ?? [])
  return [previous?.href, next?.href]
}

vi.spyOn(console, 'warn').mockImplementation(() => {})

describe('previous and next', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['', undefined, '/guide/foundations'],
    ['foundations', '/guide', '/guide/foundations/colors'],
    ['foundations/colors', '/guide/foundations', '/guide/foundations/%C3%BCber/type'],
    ['foundations/type', '/guide/foundations/colors', '/guide/components'], // skips the page without a URL
    ['components', '/guide/foundations/%C3%BCber/type', '/guide/components/card'], // skips the bare page
    ['components/card', '/guide/components', '/guide/last'], // skips the pages whose URL is taken
    ['last', '/guide/components/card', undefined],
    ['components/frame', undefined, undefined],
    ['components/frame/below-a-bare-one', undefined, undefined],
    ['nothing', undefined, undefined],
  ])('the neighbors of %j are %j and %j', (slug, previous, next) => expect(neighbors(slug)).toEqual([previous, next]))

  it('previous and next have the titles of their pages', () => {
    expect(getNeighbors('/', [tree, ...(tree.pages?.slice(0, 1) ?? [])])).toEqual({
      previous: { title: 'Styleguide', href: '/' },
      next: { title: 'Colors', href: '/foundations/colors' },
    })
  })

  it('following next visits each page of the tree once', () => {
    const visited: string[] = []
    for (let slug: string | undefined = ''; slug !== undefined; ) {
      visited.push(slug)
      const { next } = getNeighbors('/', findPage(tree, decodeURI(slug))?.trail ?? [])
      slug = next?.href.slice(1)
    }
    expect(visited).toHaveLength(7)
    expect(new Set(visited).size).toBe(7)
  })
})

const levels = (count: number): StyleguideNode => {
  let page: StyleguideNode = { title: 'end' }
  for (let depth = 1; depth < count; depth++) page = { title: 'level', pages: [page] }
  return page
}
const cycle = (): StyleguideNode => {
  const pages: StyleguideNode[] = []
  const root = { title: 'Root', pages }
  pages.push({ title: 'A', pages: [root] })
  return root
}
const doubling = (): StyleguideNode => {
  let page: StyleguideNode = { title: 'end' }
  for (let depth = 0; depth < 60; depth++) page = { title: 'level', pages: [page, page] }
  return page
}

it.each<[string, StyleguideNode, string]>([
  ['a page below itself', cycle(), "styleguide: expected a tree, got the page 'Root' below itself"],
  ['10,000 levels', levels(10_000), "styleguide: expected at most 64 levels, got more at the page 'level'"],
  ['2^60 pages', doubling(), "styleguide: expected at most 100000 pages, got more at the page 'end'"],
])('a tree with %s is an error that names the page', (_, root, message) => {
  expect(() => checkTree(root)).toThrow(new TypeError(message))
  expect(() => getNeighbors('/styleguide', findPage(root)?.trail ?? [])).toThrow(new TypeError(message))
})

it('a tree may have 64 levels below the root, and a page may be in a tree twice', () => {
  expect(() => checkTree(levels(65))).not.toThrow()
  const page = { title: 'twice' }
  expect(() => checkTree({ title: 'Root', pages: [page, { title: 'A', pages: [page] }] })).not.toThrow()
})

it('checkTree does not descend into bare pages, which the navigation does not list', () => {
  const root: StyleguideNode = { title: 'Root', pages: [{ ...cycle(), bare: true }] }
  expect(() => checkTree(root)).not.toThrow()
})
