import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, includesOf, pages, read, root } from './pages.js'

const cwd = fileURLToPath(root)
const folder = mkdtempSync(join(tmpdir(), 'sitewright-packed-'))
const packed = join(folder, 'package')
const sources = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'package.json', 'docs', 'adapters', 'examples/deploy']
const changes = () => execFileSync('git', ['status', '--porcelain', '--', ...sources], { cwd, encoding: 'utf8' })
// Without scripts: it is built already.
const pack = (destination: string) =>
  execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', destination], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  })

let files: Set<string>
let changesBefore: string
const pagesOfPackage = () => [...files].filter((file) => file.endsWith('.md') && !file.includes('/templates/'))
const readPacked = (file: string) => readFileSync(join(packed, file), 'utf8')
/** A page without its code. */
const proseOf = (file: string) => readPacked(file).replace(/^ *```.*?^ *```$/gms, '')

beforeAll(() => {
  changesBefore = changes()
  const [{ filename }] = JSON.parse(pack(folder))
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  const entries = readdirSync(packed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  files = new Set(entries.map((entry) => join(entry.parentPath, entry.name).slice(packed.length + 1)))
}, 60_000)

/** The ids of the headings of a page, as GitHub and editors form them. */
function headingsOf(file: string): string[] {
  const titles = [...proseOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title)
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documentation in the package', () => {
  it('has every page of the documentation', () => {
    const written = pages.map((page) => (page === 'README.md' ? page : `dist/${page}`))
    expect(written.filter((page) => !files.has(page))).toEqual([])
    expect(written.length).toBeGreaterThan(25)
  })

  it('has nothing that only the site understands', () => {
    const site = /^<<<|@include|^:::|\{#[\w-]+\}$|\{target=|<!-- \/?figures|^layout: |^<\/?div/m
    const found = pagesOfPackage()
      .filter((file) => file.startsWith('dist/'))
      .filter((file) => site.test(proseOf(file)))
    expect(found).toEqual([])
  })

  it('every link and picture leads to a file of the package, and to a heading of it', () => {
    const broken: string[] = []
    let count = 0
    for (const page of pagesOfPackage()) {
      for (const [, href = ''] of proseOf(page)
        .replace(/`[^`]*`/g, 'code')
        .matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(href)) continue
        count++
        const [path = '', hash] = href.split('#')
        const target = path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path))
        const isFound = files.has(target) && (!hash || headingsOf(target).includes(hash))
        if (!isFound) broken.push(`${page}: ${href}`)
      }
    }
    expect(broken).toEqual([])
    expect(count).toBeGreaterThan(150)
  })

  it('has each snippet in its place, as it is', () => {
    const wrong: string[] = []
    for (const page of pages.filter((page) => page !== 'README.md')) {
      const included = includesOf(read(page))
      const codes = blocksOf(readPacked(`dist/${page}`)).map(({ code }) => code)
      let from = 0
      for (const file of included) {
        const index = codes.indexOf(read(file), from)
        if (index < 0) wrong.push(`${page}: ${file}`)
        else from = index + 1
      }
    }
    expect(wrong).toEqual([])
  })

  it('has every file that a command copies from it', () => {
    const commands = pagesOfPackage().flatMap((page) => [
      ...readPacked(page).matchAll(/cp (?:-r )?node_modules\/sitewright\/(\S+)/g),
    ])
    const copied = commands.map(([, path = '']) => path.replace(/\/\.$/, ''))
    expect(copied.length).toBeGreaterThan(10)
    const paths = [...files]
    expect(copied.filter((path) => !paths.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([])
  })

  it('has the recipes of the other servers', () => {
    const recipes = blocksOf(read('adapters/recipes.md')).map(({ code }) => code)
    const codes = blocksOf(readPacked('dist/docs/start/others.md')).map(({ code }) => code)
    expect(recipes.length).toBeGreaterThan(4)
    expect(recipes.filter((code) => !codes.includes(code))).toEqual([])
  })

  it('takes 700 kB at most', () => {
    const isDocumentation = (file: string) => /\.md$|^(?:dist\/)?docs\//.test(file)
    const sizes = [...files].filter(isDocumentation).map((file) => statSync(join(packed, file)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(700_000)
  })

  it('a pack changes no source, even when it fails', () => {
    expect(() => pack(join(folder, 'missing'))).toThrow()
    expect(changes()).toBe(changesBefore)
  })
})
