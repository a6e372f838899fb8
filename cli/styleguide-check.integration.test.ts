import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Adoption } from '../core/styleguide/index.js'
import { listen } from '../test/adapter/listen.js'

const program = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'styleguide-check-'))
const run = (...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = execFile('node', [program, 'styleguide', ...args], { cwd: folder }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })

const frame = (path: string) => `<iframe src="${path}" data-sw-scheme="light"></iframe>`
const variant = (html: string) => `<main><div class="sw-padded">${html}</div></main>`
const pages: Record<string, string> = {
  '/':
    '<link rel="stylesheet" href="/site.css"><link rel=stylesheet href="https://cdn.test/other.css"><style>b { color: #123456 }</style>' +
    '<h1>Home</h1><h2>Two</h2><h4 id=a>Far &amp; wide</h4><img src="/a.jpg"><img src="/b.jpg" alt=""><img src="/c.jpg" aria-hidden=true>' +
    '<svg role="img"></svg><svg></svg><article class="wide card"></article><nav></nav><a class="flex p-4 mt-2" href="/about">about</a>',
  '/about':
    '<link rel="stylesheet" href="/site.css"><h3>First</h3><div class="card"></div><a class="flex p-4">Read on</a><style>b { color: #123456 }</style>',
  '/styleguide':
    '<h1>Styleguide</h1><style>a { color: red }</style><img src=x><a href="/styleguide/card">Card</a><a href="/styleguide/nav">Nav</a><a href="/styleguide/link">Link</a>',
  '/styleguide/card': `<h1 class="sw-title">Card</h1>${frame('/styleguide/card/a')}${frame('/styleguide/card/b')}<a href="/styleguide/card/a">a</a><a href="/styleguide/card/b">b</a>`,
  '/styleguide/card/a': variant('<article class="card wide"></article>'),
  '/styleguide/card/b': '<div class="sw-padded sw-states"><figure><article class="card"></article></figure></div>',
  '/styleguide/nav': `<h1>Nav</h1>${frame('/styleguide/nav/a')}<a href="/styleguide/nav/a">a</a>`,
  '/styleguide/nav/a': variant('<nav></nav>'),
  '/styleguide/link': `<h1>Link</h1>${frame('/styleguide/link/a')}<a href="/styleguide/link/a">a</a>`,
  '/styleguide/link/a': variant('<a class="flex p-4">Read on</a>'),
  '/shop/': '<img src="/shop.jpg">',
  '/shop/styleguide/': '<h1>Styleguide</h1>',
  '/de/': '<img src="/de.jpg">',
}
// As Next.js with `trailingSlash`, and with a `basePath`, for which `/` is not found.
const redirects: Record<string, string> = {
  '/shop': '/shop/',
  '/shop/styleguide': '/shop/styleguide/',
  '/de': '/de/',
}
const css = `:root {
  --color-background: #fff;
  --color-text: #999;
  --space-sm: 8px;
}
.a { color: var(--color-text); padding: var(--space-sm) 9px }
`
let server: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  server = await listen(
    createServer(({ url = '' }, response) => {
      const location = redirects[url]
      if (url === '/site.css') response.end(css)
      else if (location) response.writeHead(308, { location }).end()
      else response.writeHead(pages[url] ? 200 : 404, { 'content-type': 'text/html' }).end(pages[url])
    }),
  )
  writeFileSync(join(folder, 'a.css'), '.a { color: #fefefe }')
  writeFileSync(join(folder, 'tokens.css'), '.dark { --color-ink: #fff } :root { --color-ink: #000 }')
  writeFileSync(join(folder, 'empty.css'), 'a { color: red }')
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

it('styleguide check finds a fault of each kind', async () => {
  const { code, out } = await run('check', server.url, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({
    shares: [
      { kind: 'colors', percent: 50, tokens: 1, values: 2 },
      { kind: 'sizes', percent: 100, tokens: 0, values: 0 },
      { kind: 'spacings', percent: 50, tokens: 1, values: 2 },
    ],
    strays: [
      { place: '/site.css:6:32', property: 'padding', value: '9px', token: '--space-sm', difference: '1 px' },
      { place: '/ <style> 1:1:5', property: 'color', value: '#123456', token: '--color-text', difference: 'ΔE 41.3' },
    ],
    pairs: [{ text: 'text', ground: 'background', mode: '', contrast: 2.84 }],
    pictures: [
      { page: '/', picture: '/a.jpg' },
      { page: '/', picture: '<svg>' },
    ],
    headings: [
      { page: '/', heading: 'h4 Far & wide', after: 'h2' },
      { page: '/about', heading: 'h3 First', after: 'h1' },
    ],
    components: [
      { component: 'Card', pages: ['/'] },
      { component: 'Link', pages: ['/about'] },
      { component: 'Nav (without a class to find it by)', pages: [] },
    ],
  } satisfies Adoption)
})

it.each([
  ['/shop/styleguide', [], '/shop/', '/shop.jpg'],
  ['/shop/styleguide/', ['--start', '/de'], '/de/', '/de.jpg'],
])('styleguide check of %s with %j starts at %s', async (path, options, page, picture) => {
  const { code, out, err } = await run('check', server.url + path, '--json', '--tokens', 'tokens.css', ...options)
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out).pictures).toEqual([{ page, picture }])
})

it('styleguide check prints tables', async () => {
  const { code, out } = await run('check', `${server.url}/styleguide/`, '--css', 'a.css', '--tokens', 'tokens.css')
  expect(code).toBe(0)
  expect(out).toMatch(/^colors: 0 % tokens, 0 of 1$/m)
  expect(out).toMatch(/^Values that are not tokens: 1\n {2}a\.css:1:6 {2}color {2}#fefefe {2}--color-ink {2}ΔE 0\.2$/m)
  expect(out).toMatch(/^Components: 3\n {2}Card +\/\n {2}Link +\/about\n/m)
})

it.each<[string, number, string]>([
  [
    '--css . --tokens tokens.css --min 50',
    1,
    'Error: min: expected at least 50 % of the values to be tokens, got 0 of 2\n',
  ],
  ['--css a.css --tokens tokens.css --min 0', 0, ''],
  ['--min 50', 0, ''],
  ['--min 50.1', 1, 'Error: min: expected at least 50.1 % of the values to be tokens, got 2 of 4\n'],
  ['--min lots', 2, "Error: min: expected a percentage such as 80, got 'lots'"],
  ['--css gone.css', 2, "Error: css: expected a file or folder, got 'gone.css'"],
  ['--tokens empty.css', 2, 'Error: tokens: expected custom properties of the document'],
  ['--limit 1', 0, 'There are more pages than the limit of 1: see --limit.\nThere is no styleguide at /styleguide'],
  ['--start de', 2, "Error: start: expected a path such as /de, got 'de'"],
  ['--out x', 2, "Error: Unknown option '--out'"],
  ['more', 2, "Error: styleguide check: expected one URL, got also 'more'"],
])('styleguide check with %s has the exit code %i', async (options, code, message) => {
  const result = await run('check', server.url, ...options.split(' '))
  expect([result.code, result.err.slice(0, message.length)]).toEqual([code, message])
})

it.each([
  [[], 'Error: styleguide: expected a URL such as http://localhost:3000/styleguide, got nothing'],
  [['check'], 'Error: styleguide check: expected a URL such as http://localhost:3000, got nothing'],
  [
    ['check', 'localhost:3000'],
    "Error: styleguide check: expected a URL such as http://localhost:3000, got 'localhost:3000'",
  ],
])('the arguments %j are an error', async (args, message) => {
  const { code, err } = await run(...args)
  expect([code, err.slice(0, message.length)]).toEqual([2, message])
})

it('--help shows the options', async () => {
  expect((await run('check', '--help')).out).toContain('--min <percent>')
})
