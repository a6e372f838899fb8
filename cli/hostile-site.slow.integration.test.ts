import { describe, expect, it } from 'vitest'
import { endless, runHere, serveSite } from './testing/hostile-site.js'
import { createProject } from './testing/project.js'

const escapeReferences = '&#27;]0;owned&#7;&#27;[2J'
const decoded = '\\u001b]0;owned\\u0007\\u001b[2J'
// Control characters but line ends, and marks that turn the direction of the text.
const control = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

describe('text of a site is printed without control characters', () => {
  it('check prints faults with escaped control characters, one in each line', async () => {
    const url = await serveSite({
      '/guide':
        `<html lang="${escapeReferences}"><link rel=alternate hreflang="en" href="/guide">` +
        '<link rel=alternate hreflang="de&#10;0 faults" href="/de"><link rel=alternate hreflang="fr" href="x:&#155;31m&#8238;">',
      '/de': `<html lang="${escapeReferences}&#10;/: fine">`,
      '/sitemap.xml': `<loc>//[${escapeReferences}</loc>`,
    })
    const { code, out, err } = await runHere(createProject({}), 'check', url)
    expect([code, err]).toEqual([1, ''])
    expect(out).not.toMatch(control)
    expect(out.trim().split('\n')).toEqual([
      'sitemap: //[\\u001b]0;owned\\u0007\\u001b[2J answers 404',
      `/guide: en /guide has lang="${decoded.toLowerCase()}"`.replace('2J', '2j'),
      expect.stringContaining('/guide: de\\u000a0 faults /de has lang='),
      '/guide: de\\u000a0 faults /de does not link back',
      '/guide: fr x:\\u009b31m\\u202e is not a URL',
      '2 pages, 3 alternates: 5 faults',
    ])
  })

  it('a redirect to a location with control characters is printed with them escaped', async () => {
    const url = await serveSite({
      '/guide':
        '<html lang=en><link rel=alternate hreflang=en href="/guide"><link rel=alternate hreflang=de href="/de">',
      '/de': (response) => response.writeHead(302, { location: '/\u009b31m' }).end(),
    })
    const { out } = await runHere(createProject({}), 'check', url)
    expect(out).toMatch(/\/de answers 302, to \/(?:\\u00c2)?\\u009b31m/)
    expect(out).not.toMatch(control)
  })

  const guide = {
    '/': `<html><h1>Home</h1><h4>${escapeReferences}</h4><img src="${escapeReferences}&#8238;"><style>:root { --a: red } a { color: #12\u001b3456; margin: 1px\u009b }</style>`,
    '/styleguide': '<a href="/styleguide/a">a</a>',
    '/styleguide/a': `<h1>A${'\u001b'}[31m</h1><iframe data-sw-scheme src="/styleguide/b"></iframe><a href="/styleguide/b">b</a>`,
    '/styleguide/b': '<div class="sw-padded"><b class="c"></b></div>',
  }

  it('styleguide check prints tables with escaped control characters', async () => {
    const { code, out, err } = await runHere(
      createProject({}),
      'styleguide',
      'check',
      new URL(await serveSite(guide)).origin,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).not.toMatch(control)
    expect(out).toContain(`\n  /  ${decoded}\\u202e\n`)
    expect(out).toContain(`\n  /  h4 ${decoded}  h1\n`)
    expect(out).toContain('\n  A\\u001b[31m')
  })

  it('the JSON of styleguide check has the same text', async () => {
    const url = new URL(await serveSite(guide)).origin
    const { out } = await runHere(createProject({}), 'styleguide', 'check', url, '--json')
    expect(out).not.toMatch(control)
    expect(JSON.parse(out)).toMatchObject({
      pictures: [{ page: '/', picture: '\u001b]0;owned\u0007\u001b[2J\u202e' }],
      headings: [{ page: '/', heading: 'h4 \u001b]0;owned\u0007\u001b[2J', after: 'h1' }],
    })
  })

  it('an export prints the addresses of files with escaped control characters', async () => {
    const url = await serveSite({
      '/guide': '<img src="/a">',
      '/a': (response) => response.writeHead(404, { location: '/\u009b31m' }).end(),
    })
    const { code, out } = await runHere(createProject({}), 'styleguide', url, '--out', 'out')
    expect([code, out]).toEqual([1, expect.stringMatching(/\/a answers 404, to \/(?:\\u00c2)?\\u009b31m\n/)])
    expect(out).not.toMatch(control)
  })

  it('130,000 faults are printed', async () => {
    const alternates = Array.from({ length: 32_500 }, (_, index) => `<link rel=alternate hreflang=a href=x:${index}>`)
    const page = `${alternates.join('')}<a href="/b"></a><a href="/c"></a><a href="/d"></a>`
    const url = await serveSite({ '/guide': page, '/b': page, '/c': page, '/d': page })
    const { code, out, err } = await runHere(createProject({}), 'check', url)
    expect([code, err]).toEqual([1, ''])
    expect(out.split('\n')).toHaveLength(130_000 + 4 + 2)
  })
})

it.each(['http://[', '//[', 'http://a:b:c', ''])(
  'styleguide check ignores the stylesheet %j, as a browser does',
  async (href) => {
    const url = await serveSite({
      '/': `<link rel=stylesheet href="${href}"><style>:root { --a: red }</style>`,
      '/styleguide': '<p>',
    })
    const { code, out, err } = await runHere(createProject({}), 'styleguide', 'check', new URL(url).origin)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('colors: 100 % tokens, 0 of 0')
  },
)

describe('memory is bounded', () => {
  it.each([[['check']], [['styleguide', 'check']], [['styleguide', '--out', 'out']]])(
    'a page of 300 MB is an error of %j',
    async (command) => {
      const page = endless('<a href="/guide/b">b</a> ', 300)
      const url = await serveSite({ '/': page, '/guide': page })
      const { code, err, megabytes } = await runHere(createProject({}), ...command, url)
      expect([code, err]).toEqual([1, expect.stringMatching(/^Error: .* cannot be read: more than 64 MB\n/)])
      expect(megabytes).toBeLessThan(400)
    },
  )

  it.each([
    [['check'], '60'],
    [['styleguide', 'check'], '25'],
  ])('%j of pages with 20,000 links each needs less than 128 MB for %s pages', async (command, limit) => {
    const links = Array.from({ length: 20_000 }, (_, index) => `<a href="/${index}">x</a>`).join('')
    const page = `<html lang=en><style>:root { --a: red }</style><link rel=alternate hreflang=en href="/">${links}`
    const url = await serveSite(new Proxy({}, { get: () => page }))
    const args = [...command, '--limit', limit, new URL(url).origin]
    const { out, err } = await runHere(createProject({}), '--max-old-space-size=128', ...args)
    expect(err).toBe(`There are more pages than the limit of ${limit}: see --limit.\n`)
    expect(out).toContain(command[0] === 'check' ? '60 pages, 60 alternates' : 'colors: 100 % tokens')
  })
})
