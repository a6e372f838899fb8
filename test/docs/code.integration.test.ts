import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksOf, fileUrl, includesOf, pages, read, root } from './pages.js'

const scripts = /^(?:[cm]?[jt]sx?|javascript|typescript|mdx|vue)$/
const included = [
  ...new Set(
    pages.flatMap((page) => [...includesOf(read(page)), ...blocksOf(read(page)).map(({ file }) => file ?? '')]),
  ),
].filter(Boolean)
/** Read by `tsc` in `npm run check`: tsconfig.json, that of the Next.js site, and those of the examples. */
const isCompiled = (file: string) => /^docs\/(?:snippets|\.\.\/examples)\/.*\.[jt]sx?$/.test(file)
/** A site that `test/existing` starts. */
const isStarted = (file: string) => /^docs\/snippets\/existing\/.*\.cjs$/.test(file)

describe('every script in README and documentation', () => {
  it.each(pages)('every script in %s is an included file', (page) => {
    for (const { language, file, code } of blocksOf(read(page))) {
      if (!scripts.test(language) && file === undefined) continue
      expect(file, code).toBeDefined()
      expect(read(file as string)).toBe(code)
    }
  })

  it('every script in the documentation is compiled, or started in CommonJS', () => {
    expect(included.length).toBeGreaterThan(25)
    expect(included.filter((file) => !existsSync(fileUrl(file)) || !(isCompiled(file) || isStarted(file)))).toEqual([])
  })

  it('every script in the documentation has its imports', () => {
    for (const file of included) expect(read(file), file).toMatch(/^import |^const .* = require\(/m)
  })

  it('every file of the snippets is shown in the documentation', () => {
    const files = readdirSync(new URL('docs/snippets/', root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.[jt]sx?$/.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.pathname.length).replaceAll('//', '/'))
    expect(files.filter((file) => !included.includes(file))).toEqual([])
  })
})

it.each(pages)('%s: no command has a comment, which zsh passes on as arguments when it is pasted', (page) => {
  const shell = blocksOf(read(page)).filter(({ language }) => language === 'sh')
  expect(shell.flatMap(({ code }) => code.split('\n').filter((line) => /(?:^| )#/.test(line)))).toEqual([])
})

it('the styleguide reads each property that a page sets', () => {
  const folder = 'react/styleguide/styles/'
  const styles = readdirSync(new URL(folder, root)).map((file) => read(folder + file))
  const blocks = pages.flatMap((page) => blocksOf(read(page))).filter(({ language }) => language === 'css')
  const set = blocks.flatMap(({ code }) => [...code.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name))
  expect(set).toHaveLength(5)
  expect(set.filter((name) => !styles.some((text) => text.includes(`var(${name}`)))).toEqual([])
})

describe('the README', () => {
  const readme = read('README.md')

  it('the README names every entry of the package', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> }
    const names = Object.keys(exports)
      .filter((name) => !['./package.json', './sharp/worker'].includes(name))
      .map((name) => `\`sitewright${name.slice(1)}\``)
    expect(names.filter((name) => !readme.includes(name))).toEqual([])
  })

  it.each(pages)('%s: every relative link leads to a file', (page) => {
    const text = read(page).replace(/`[^`\n]*`/g, '')
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link)
    const missing = links.filter((link) => {
      if (/^[a-z]+:/i.test(link) || /^\/(?:reference|demo)\//.test(link)) return false // written by `npm run docs`
      const target = link.startsWith('/') ? new URL(`docs${link}`, root) : new URL(link, new URL(page, root))
      const [path] = [target.pathname.replace(/\/$/, '/index')]
      return ![path, `${path}.md`].some((file) => existsSync(decodeURIComponent(file)))
    })
    expect(missing).toEqual([])
  })
})
