import { describe, expect, it, vi } from 'vitest'
import { findPage } from './find.js'
import { getNeighbors } from './neighbors.js'
import type { StyleguideNode } from './tree.js'

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
  ])('of %j are %j and %j', (slug, previous, next) => expect(neighbors(slug)).toEqual([previous, next]))

  it('have the titles of the pages', () => {
    expect(getNeighbors('/', [tree, ...(tree.pages?.slice(0, 1) ?? [])])).toEqual({
      previous: { title: 'Styleguide', href: '/' },
      next: { title: 'Colors', href: '/foundations/colors' },
    })
  })

  it('visit the whole tree, each page once', () => {
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
