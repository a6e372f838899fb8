import { expect, it } from 'vitest'
import { rewriteCss, rewriteHtml } from './rewrite.js'

const rewrite = (url: string, isLink: boolean) =>
  url.startsWith('/') ? `${isLink ? 'link' : 'file'}:${url}` : undefined

it.each([
  ['a link', '<a class="x" href="/a">A</a>', '<a class="x" href="link:/a">A</a>'],
  ['a file', '<img src=/a.jpg alt="src=/b">', '<img src="file:/a.jpg" alt="src=/b">'],
  ['a frame', "<iframe src='/a'></iframe>", '<iframe src="file:/a"></iframe>'],
  ['the index of the search', '<input data-sw-index="/s">', '<input data-sw-index="file:/s">'],
  ['the form of the search', '<form action="/s">', '<form action="link:/s">'],
  ['a script', '<script src="/a.js"></script>', '<script src="file:/a.js"></script>'],
  ['candidates', '<img srcSet="/a?w=1 1w, /b 2w">', '<img srcSet="file:/a?w=1 1w, file:/b 2w">'],
  ['references', '<img src="/a?b&amp;c&quot;">', '<img src="file:/a?b&amp;c&quot;">'],
  ['a stylesheet', '<link rel="stylesheet" href="/a.css"/>', '<link rel="stylesheet" href="file:/a.css"/>'],
  ['a style', '<style>a{b:url(/c)}</style>', '<style>a{b:url("file:/c")}</style>'],
  ['nothing in a canonical address', '<link rel="canonical" href="/a">', '<link rel="canonical" href="/a">'],
  [
    'nothing in an alternate',
    '<link hreflang="de" rel="alternate" href="/a">',
    '<link hreflang="de" rel="alternate" href="/a">',
  ],
  ['nothing in a comment', '<!-- <a href="/a"> -->', '<!-- <a href="/a"> -->'],
  ['nothing in the text of a script', '<script>"<a href="/a">"</script>', '<script>"<a href="/a">"</script>'],
  ['nothing in other attributes', '<a title="/a" data-href="/b">', '<a title="/a" data-href="/b">'],
  ['nothing in a URL of another site', '<a href="https://other.test/">', '<a href="https://other.test/">'],
  ['the client of Next.js to an empty script', '<script src="/_next/a.js" async></script>', '<script></script>'],
  ['the data of Next.js to an empty script', '<script>self.__next_f.push([])</script>', '<script></script>'],
])('rewriteHtml rewrites %s', (_, html, expected) => {
  expect(rewriteHtml(html, rewrite)).toBe(expected)
})

it.each([
  ['url(/a)', 'url("file:/a")'],
  ["url( '/a b' )", 'url("file:/a b")'],
  ['@import "/a.css" layer(x)', '@import "file:/a.css" layer(x)'],
  ['@import url("/a.css")', '@import url("file:/a.css")'],
  ['/* url(/a) */', '/* url(/a) */'],
  ['url(data:image/png;base64,AA)', 'url(data:image/png;base64,AA)'],
])('rewriteCss returns for %s: %s', (css, expected) => {
  expect(rewriteCss(css, rewrite)).toBe(expected)
})
