import { expect, it } from 'vitest'
import type { StyleguideNode } from './tree.js'
import { checkTree, reachablePages } from './tree.js'

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
  expect(() => reachablePages(root, '/styleguide')).toThrow(new TypeError(message))
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
