import { expect, it } from 'vitest'
import { readLinks, readTags, toLinkTags } from './html.js'

it.each<[string, string, Record<string, unknown>]>([
  ['lang', '<!doctype html><HTML class=x LANG=de-AT>', { language: 'de-at' }],
  ['canonical', `<link href='/a?b=1&amp;c=2' rel=canonical>`, { canonical: '/a?b=1&c=2' }],
  ['alternates', '<link rel="Alternate" hrefLang="de" href="/de&#39;s"/>', { alternates: [['de', "/de's"]] }],
  ['alternates of other kinds', '<link rel="alternate" type="application/rss+xml" href="/feed">', { alternates: [] }],
  [
    'an alternate over several lines',
    '<link\n rel="alternate"\n hreflang="de"\n href="/de">',
    { alternates: [['de', '/de']] },
  ],
  ['links', '<a title="1 > 0" href="/a">a</a><abbr href="/b"><a name=c>', { links: ['/a'] }],
  ['no link in a comment', '<!-- <a href="/a"> --><a href="/b">', { links: ['/b'] }],
  ['no link in a script', '<script>"<a href=/a>"</script><a href="/b"><style><a href=/c></style>', { links: ['/b'] }],
  ['no link to another site', '<a href="//b.test/a">', { links: [] }],
  ['no link without a value of href', '<a data-href="/a"><a href>', { links: [] }],
  ['no link with an unclosed value', '<a href="/a', { links: [] }],
  ['no links in an empty text', '', { language: undefined, canonical: undefined, alternates: [], links: [] }],
])('readLinks reads %s', (_, html, expected) =>
  expect(readLinks(readTags(html), 'https://a.test/')).toMatchObject(expected),
)

it('readLinks reads the Link header', () => {
  const header =
    '<https://a.test/de>; rel="alternate"; hreflang="de", <https://a.test/>; rel=canonical, </style.css>; rel=preload'
  expect(readLinks(readTags(toLinkTags(header)), 'https://a.test/')).toMatchObject({
    canonical: '/',
    alternates: [['de', '/de']],
  })
})

it('readTags takes linear time', () => {
  for (const piece of ['<a ', '<a\'">', '<title ', '<a href="', '<!--', '<script>', '<a b=c ', '<link rel="', '&#1']) {
    expect(readLinks(readTags(piece.repeat(20_000)), 'https://a.test/').links.length).toBeLessThan(20_000)
  }
})
