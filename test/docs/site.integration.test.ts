import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../setup/install-packages.js'
import { root } from './pages.js'

const docs = fileURLToPath(new URL('docs/', root))
const dist = `${docs}.vitepress/dist`
const external = /^(?:[a-z]+:)?\/\//i

/** Paths of all built pages, as `/guide/images.html`. */
function builtPages(): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => `/${file}`)
}

const html = new Map<string, string>()
const attributes = (page: string, name: string) =>
  [...(html.get(page) as string).matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

beforeAll(async () => {
  await installPackages(docs)
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: docs })
  for (const page of builtPages()) html.set(page, readFileSync(dist + page, 'utf8'))
}, 300_000)

describe('npm run docs', () => {
  it('writes guides, and a page of the reference for each entry and each function', () => {
    const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { exports: object }
    const names = Object.keys(exports)
      .map((name) => name.slice(2))
      .filter((name) => !['', 'sharp/worker'].includes(name) && !/\.(?:json|css|js)$/.test(name))
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) expect([...html.keys()]).toContain(`/reference/sitewright/${name}/index.html`)
    const options = html.get('/reference/sitewright/cache/functions/createResponseCache.html')
    expect(options).toContain('id="storetimeout"')
    expect([...html.values()].filter((text) => text.includes('__namedParameters'))).toEqual([])
    expect(html.get('/guide/image-caching.html')).toContain('A replaced original')
  })

  it('has the example site and its styleguide as static files, linked from the first page', () => {
    expect(html.get('/demo/index.html')).toContain('Silver')
    expect(html.get('/demo/styleguide/foundations/colors/index.html')).toContain(
      '<meta name="robots" content="noindex"/>',
    )
    expect(attributes('/index.html', 'href')).toEqual(
      expect.arrayContaining(['/demo/index.html', '/demo/styleguide/index.html']),
    )
  })

  it('every internal link leads to a page, and to a heading of it', () => {
    const broken: string[] = []
    for (const page of html.keys()) {
      if (page === '/404.html') continue
      for (const href of attributes(page, 'href')) {
        if (external.test(href) || /^(?:mailto|data):/.test(href)) continue
        const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://docs.test${page}`)
        const file = decodeURIComponent(pathname.replace(/\/$/, '/index.html'))
        if (!existsSync(dist + file)) broken.push(`${page}: ${href}`)
        const id = decodeURIComponent(hash.slice(1))
        if (id && html.has(file) && !attributes(file, 'id').includes(id)) broken.push(`${page}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('shows every snippet: no include is left', () => {
    for (const [page, text] of html)
      expect(text, page).not.toMatch(/@include|&lt;&lt;&lt; @|Code snippet path not found|Invalid code snippet/)
  })

  it('loads nothing from another host', () => {
    const loaded = [...html].flatMap(([page]) => attributes(page, 'src').concat(linked(html.get(page) as string)))
    expect(loaded.filter((address) => external.test(address))).toEqual([])
    const styles = readdirSync(`${dist}/assets`).filter((file) => file.endsWith('.css'))
    for (const file of styles) {
      const urls = [...readFileSync(`${dist}/assets/${file}`, 'utf8').matchAll(/url\(["']?([^"')]+)/g)]
      expect(urls.map(([, url = '']) => url).filter((url) => external.test(url))).toEqual([])
    }
  })

  it('has an index for search', () => {
    expect(readdirSync(`${dist}/assets/chunks`).some((file) => file.startsWith('@localSearchIndex'))).toBe(true)
  })
})

/** Addresses of `<link>`, which the browser loads. */
function linked(text: string): string[] {
  const links = [...text.matchAll(/<link ([^>]*)href="([^"]+)"/g)]
  return links
    .filter(([, before]) => !/rel="(?:canonical|alternate)"/.test(before ?? ''))
    .map(([, , href = '']) => href)
}
