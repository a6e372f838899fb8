import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPage } from './find.js'
import { pageHref, pageSegments, type StyleguideNode, trailHrefs } from './tree.js'

describe('the URL of a page', () => {
  it.each<[StyleguideNode, string | undefined]>([
    [{ title: 'Colors' }, '/styleguide/colors'],
    [{ title: 'Colors', path: 'palette' }, '/styleguide/palette'],
    [{ title: 'Colors', path: '/a/b/' }, '/styleguide/a/b'],
    [{ title: 'Colors', path: '' }, '/styleguide/colors'],
    [{ title: 'Colors', path: '../..' }, '/styleguide/colors'],
    [{ title: 'Colors', path: './a' }, '/styleguide/a'],
    [{ title: 'Über uns' }, '/styleguide/%C3%BCber-uns'],
    [{ title: 'x', path: 'Über uns?#' }, '/styleguide/%C3%9Cber%20uns%3F%23'],
    [{ title: 'x', path: '%C3%9Cber%20uns' }, '/styleguide/%C3%9Cber%20uns'],
    [{ title: 'x', path: '100%' }, '/styleguide/100%25'],
    [{ title: 'x', path: '\ud800' }, '/styleguide/%EF%BF%BD'],
    [{ title: '🎨' }, undefined],
  ])('the page %j has the URL %s', (page, href) => expect(pageHref('/styleguide', page)).toBe(href))

  it('the URL has a single slash if the prefix is /', () => expect(pageHref('/', { title: 'a' })).toBe('/a'))

  it('the URL of a page leads back to the page', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.option(fc.string(), { nil: undefined }), (title, path) => {
        const page = { title, path }
        const href = pageHref('', page)
        fc.pre(href !== undefined)
        expect(findPage({ title: '', pages: [page] }, href)?.page).toBe(page)
        expect(findPage({ title: '', pages: [page] }, pageSegments(page).map(encodeURIComponent))?.page).toBe(page)
      }),
    )
  })
})

it('each page of a trail has a URL, except a page without a slug and the pages below it', () => {
  const trail = ['Root', 'A', 'B'].map((title) => ({ title }))
  expect(trailHrefs('/s', trail)).toEqual(['/s', '/s/a', '/s/a/b'])
  expect(trailHrefs('/s', [{ title: 'Root' }, { title: '!' }, { title: 'B' }])).toEqual(['/s', undefined, undefined])
})
