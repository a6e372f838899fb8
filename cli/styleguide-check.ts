import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Adoption } from '../core/styleguide/index.js'
import { adoptionTables, readStylesheet } from '../core/styleguide/internal.js'
import { CliError, parseOptions, parseSite, usageError } from './arguments.js'
import { crawlSite, get, readSite } from './crawl.js'
import { readTags } from './html.js'
import { measureTokens } from './measure-tokens.js'
import { findComponents, findHeadings, findPictures, type Page } from './pages.js'
import { print } from './print.js'

/** Measures how far a site follows its styleguide, and prints it. The progress goes to the standard error. */
export async function checkStyleguide(given: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions(given, {
    css: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    limit: { type: 'string' },
    min: { type: 'string' },
    tokens: { type: 'string', multiple: true },
  })
  const { css = [], tokens = [], min = '0' } = values
  const { url, limit } = parseSite('styleguide check', positionals, values.limit)
  if (!/^(?:\d{1,2}(?:\.\d+)?|100)$/.test(min)) throw usageError(`min: expected a percentage such as 80, got '${min}'`)
  const stylesheets = readFiles('css', css)
  const source = [...readFiles('tokens', tokens).values()].join('\n')

  const { own, shown } = await readPages(readSite('styleguide check', url), limit)
  if (own.length === 0) throw new CliError(`${url} has no page that answers 200`)
  if (css.length === 0) await fetchStylesheets(own, new URL(url).origin, stylesheets)
  const adoption = {
    ...measureTokens(stylesheets, checkTokens(source || [...stylesheets.values()].join('\n'))),
    pictures: own.flatMap(findPictures),
    headings: own.flatMap(findHeadings),
    components: findComponents(own, shown),
  }
  if (values.json) print(JSON.stringify(adoption, null, 2))
  else printTables(adoption)
  const [count, all] = (['tokens', 'values'] as const).map((each) =>
    adoption.shares.reduce((sum, share) => sum + share[each], 0),
  )
  if (Number(count) * 100 >= Number(min) * Number(all)) return 0
  throw new CliError(`min: expected at least ${min} % of the values to be tokens, got ${count} of ${all}`)
}

/** Returns stylesheets, and those in folders, by their path from here. */
function readFiles(option: string, paths: readonly string[]): Map<string, string> {
  const files = paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) throw usageError(`${option}: expected a file or folder, got '${path}'`)
    if (!found.isDirectory()) return [path]
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => /^(?!.*node_modules).*\.css$/s.test(name)).map((name) => join(path, name))
  })
  if (paths.length > 0 && files.length === 0)
    throw usageError(`${option}: expected stylesheets, got none in '${paths}'`)
  return new Map(files.sort().map((file) => [relative('', file), readFileSync(file, 'utf8')]))
}

function checkTokens(source: string): string {
  if (readStylesheet(source).root.length > 0) return source
  throw usageError('tokens: expected custom properties of the document, such as :root { --ink: #111 }, got none')
}

/** Returns the pages of the site, and those of its styleguide. */
async function readPages(site: URL, limit: number): Promise<{ own: Page[]; shown: Page[] }> {
  const prefix = site.pathname === '/' ? '/styleguide' : site.pathname.replace(/\/$/, '')
  const { isTTY } = process.stderr
  const pages: Page[] = []
  const { isCut } = await crawlSite(new URL('/', site), [prefix], limit, (count, path, html) => {
    if (isTTY) process.stderr.write(`\r${count} pages`)
    if (html) pages.push({ path, tags: readTags(html) })
  })
  if (isTTY) process.stderr.write('\r')
  const isShown = ({ path }: Page) => `${path.split('?')[0]}/`.startsWith(`${prefix}/`)
  pages.sort((a, b) => (a.path < b.path ? -1 : 1))
  const shown = pages.filter(isShown)
  if (isCut) console.error(`There are more pages than the limit of ${limit}: see --limit.`)
  if (shown.length === 0) console.error(`There is no styleguide at ${prefix}, so no components are known.`)
  return { own: pages.filter((page) => !isShown(page)), shown }
}

/** Adds the stylesheets of pages: those of the site's origin that they link to, and those within them. */
async function fetchStylesheets(pages: readonly Page[], origin: string, found: Map<string, string>): Promise<void> {
  const inline = new Set<string>()
  for (const { path, tags } of pages) {
    for (const { name, attributes, text } of tags) {
      if (name === 'style' && inline.size < inline.add(text).size) found.set(`${path} <style> ${inline.size}`, text)
      if (name !== 'link' || !/(?:^|\s)stylesheet(?:\s|$)/i.test(attributes.rel ?? '')) continue
      const target = new URL(attributes.href ?? '', origin + path)
      if (target.origin !== origin || found.has(target.pathname)) continue
      const response = await get(target.href)
      if (!response.ok) throw new CliError(`${target} answers ${response.status}`)
      found.set(target.pathname, await response.text())
    }
  }
}

function printTables(adoption: Adoption): void {
  for (const { kind, percent, tokens, values } of adoption.shares)
    print(`${kind}: ${percent} % tokens, ${tokens} of ${values}`)
  for (const { title, rows } of adoptionTables(adoption)) {
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
    const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    print('', `${title}: ${rows.length}`, ...lines.map((line) => `  ${line.trimEnd()}`))
  }
}
