import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../test/adapter/listen.js'
import { cliPath, createProject, listFiles, writeProject } from './testing/project.js'

const run = (folder: string, ...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const nodeArgs = [cliPath, 'styleguide', ...args]
    const child = execFile('node', nodeArgs, { cwd: folder }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })

type PageResponse = [status: number, type: string, body: string, headers?: Record<string, string>]
let server: Awaited<ReturnType<typeof listen>> | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Serves responses by path. Several responses for a path are sent in turn, and the last is repeated. */
async function serve(responses: Record<string, PageResponse | PageResponse[]>): Promise<string> {
  server = await listen(({ url = '' }, response) => {
    const planned = responses[url] ?? [404, 'text/plain', '']
    const isSeveral = (value: typeof planned): value is PageResponse[] => Array.isArray(value[0])
    const [status, type, body, headers] = (
      isSeveral(planned) ? (planned.length > 1 ? planned.shift() : planned[0]) : planned
    ) as PageResponse
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  return `${server.url}/guide`
}

const html = (body: string, headers: Record<string, string> = {}): PageResponse => [200, 'text/html', body, headers]
const site = {
  '/guide': html('<head></head><a href="/guide/colors#rust">Colors</a><a href="/shop">Shop</a>', {
    'x-robots-tag': 'noindex',
  }),
  '/guide/colors': html('<link rel="stylesheet" href="/a.css"><a href="/guide">Home</a><img src="/p?width=640">'),
  '/a.css': [200, 'text/css', 'a{b:url(fonts/c.woff2)}'] satisfies PageResponse,
  '/fonts/c.woff2': [200, 'font/woff2', 'font'] satisfies PageResponse,
  '/p?width=640': [200, 'image/avif', 'picture'] satisfies PageResponse,
}

describe('npx sitewright styleguide', () => {
  it('the export has pages and the files that they need, with relative links', async () => {
    const folder = createProject({})
    const url = await serve(site)
    const { code, out, err } = await run(folder, url, '--out', 'static/guide')
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe('static/guide: 2 pages and 3 other files\n')
    const [list, css, font, picture] = listFiles(folder).filter((path) => /files|export/.test(path))
    expect(list).toBe('static/guide/.sitewright-export')
    const read = (path = '') => readFileSync(join(folder, path), 'utf8')
    expect(read('static/guide/index.html')).toBe(
      '<head><meta name="robots" content="noindex"/></head><a href="colors/index.html#rust">Colors</a><a href="/shop">Shop</a>',
    )
    const pathInExport = (path = '') => path.replace('static/guide/', '')
    expect(read('static/guide/colors/index.html')).toBe(
      `<link rel="stylesheet" href="../${pathInExport(css)}"><a href="../index.html">Home</a><img src="../${pathInExport(picture)}">`,
    )
    expect(picture).toMatch(/p-\w{8}\.avif$/)
    expect(read(css)).toBe(`a{b:url("${pathInExport(font).replace('files/', '')}")}`)
    expect(read(font)).toBe('font')
  })

  it('index.json is written with relative links', async () => {
    const folder = createProject({})
    const body = JSON.stringify({ href: '/guide', pages: [{ href: '/guide/colors#color-ink' }, { href: '/shop' }] })
    const url = await serve({ ...site, '/guide/index.json': [200, 'application/json', body] })
    expect((await run(folder, url, '--out', 'out')).code).toBe(0)
    const index = JSON.parse(readFileSync(join(folder, 'out/index.json'), 'utf8'))
    expect(index).toEqual({
      href: 'index.html',
      pages: [{ href: 'colors/index.html#color-ink' }, { href: '/shop' }],
    })
  })

  it('the state is kept in a file, by the check, too', async () => {
    const folder = createProject({})
    const index = { title: 'Guide' }
    const url = await serve({
      ...site,
      '/': html('<style>:root { --color-ink: #111 }</style>'),
      '/guide/index.json': [200, 'application/json', JSON.stringify(index)],
    })
    for (const args of [
      [url, '--out', 'out'],
      ['check', url],
    ]) {
      expect(await run(folder, ...args, '--state', 'state.json')).toMatchObject({ code: 0, err: '' })
      const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))
      expect(state).toEqual({ date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), index })
      writeProject(folder, { 'state.json': '{}' })
    }
    const missing = await run(folder, 'check', new URL('/other', url).href, '--start', '/', '--state', 'state.json')
    expect(missing.err).toContain('/other/index.json answers 404')
  })

  it('a second export removes pages that no longer exist, and leaves other files', async () => {
    const folder = createProject({})
    const responses: Record<string, PageResponse> = { ...site }
    const url = await serve(responses)
    await run(folder, url, '--out', '.git-pages')
    writeProject(folder, { '.git-pages/CNAME': '' })
    responses['/guide'] = html('alone')
    expect((await run(folder, url, '--out', '.git-pages')).code).toBe(0)
    expect(listFiles(folder)).toEqual(['.git-pages/.sitewright-export', '.git-pages/CNAME', '.git-pages/index.html'])
  })

  it('no file is written into a folder with other files', async () => {
    const folder = createProject({ 'public/robots.txt': '' })
    const { code, err } = await run(folder, await serve(site), '--out', 'public')
    expect([code, err]).toEqual([
      1,
      'Error: out: expected a new or empty folder, or an earlier export, got public with robots.txt\n',
    ])
    expect(listFiles(folder)).toEqual(['public/robots.txt'])
  })

  it('a redirect is written to the path of its target', async () => {
    const folder = createProject({})
    const url = await serve({
      '/guide': [307, 'text/html', '', { location: '/guide/en' }],
      '/guide/en': html('<a href="/guide/old">Old</a>'),
      '/guide/old': [308, 'text/html', '', { location: '/guide/new' }],
      '/guide/new': html('New'),
    })
    expect((await run(folder, url, '--out', 'out')).code).toBe(0)
    expect(listFiles(folder).slice(1)).toEqual(['out/index.html', 'out/new/index.html'])
    expect(readFileSync(join(folder, 'out/index.html'), 'utf8')).toBe('<a href="new/index.html">Old</a>')
  })

  it('the export waits for a picture that is not ready', async () => {
    const busy: PageResponse = [503, 'text/plain', '']
    const url = await serve({ ...site, '/p?width=640': [busy, site['/p?width=640']] })
    expect((await run(createProject({}), url, '--out', 'out')).code).toBe(0)
  })

  it('a missing file is printed, and the other files are written', async () => {
    const folder = createProject({})
    const url = await serve({ ...site, '/a.css': [404, 'text/plain', ''] })
    const { code, out } = await run(folder, url, '--out', 'out')
    expect([code, out.split('\n')[0]]).toEqual([1, `${new URL('/a.css', url)} answers 404`])
    expect(listFiles(folder)).toContain('out/colors/index.html')
  })

  it.each([
    [[], 'styleguide: expected a URL such as http://localhost:3000/styleguide, got nothing'],
    [['localhost:3000'], "styleguide: expected a URL such as http://localhost:3000/styleguide, got 'localhost:3000'"],
    [['http://a.test', 'b'], "styleguide: expected one URL, got also 'b'"],
    [['http://a.test'], 'out: expected a folder, such as --out public/styleguide, got nothing'],
    [['http://a.test', '--force'], "Unknown option '--force'"],
  ])('the arguments %j are an error: %s', async (args, message) => {
    const { code, err } = await run(createProject({}), ...args)
    expect([code, err]).toEqual([2, `Error: ${message}\nTry npx sitewright --help.\n`])
  })

  it('no file is written if the first page fails', async () => {
    const folder = createProject({})
    const url = await serve({})
    const { code, err } = await run(folder, url, '--out', 'out')
    const question = 'Is the server running, and the styleguide on?'
    expect([code, err]).toEqual([1, `Error: ${url} answers 404\n${question}\n`])
    expect(listFiles(folder)).toEqual([])
  })
})
