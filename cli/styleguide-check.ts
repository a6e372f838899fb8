import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Adoption } from '../core/styleguide/index.js'
import { adoptionTables, readStylesheet } from '../core/styleguide/internal.js'
import { CliError, type Command, limitOf, siteOf, usageError } from './arguments.js'
import { type CrawledPage, crawl, crawlSite } from './crawl.js'
import { hasRelation } from './html.js'
import { measureTokens } from './measure-tokens.js'
import { findComponents, findHeadings, findPictures } from './pages.js'
import { alignColumns, print } from './print.js'

/** Measures how closely a site follows its styleguide, prints the result, and returns the exit code. */
export async function checkStyleguide(command: Command): Promise<number> {
  const { css = [], json, min = '0', tokens = [] } = command.values
  const site = siteOf(command)
  const limit = limitOf(command)
  if (!/^(?:\d{1,2}(?:\.\d+)?|100)$/.test(min)) throw usageError(`min: expected a percentage such as 80, got '${min}'`)
  const files = readFiles('css', css)
  const source = [...readFiles('tokens', tokens).values()].join('\n')

  const { sitePages, guidePages } = await readPages(site, limit)
  if (sitePages.length === 0) throw new CliError(`${site.href} has no page that answers 200`)
  const stylesheets = css.length > 0 ? files : await fetchStylesheets(sitePages, site.origin)
  const adoption = {
    ...measureTokens(stylesheets, checkTokens(source || [...stylesheets.values()].join('\n'))),
    pictures: sitePages.flatMap(findPictures),
    headings: sitePages.flatMap(findHeadings),
    components: findComponents(sitePages, guidePages),
  }
  if (json) print(JSON.stringify(adoption, null, 2))
  else printTables(adoption)
  const count = adoption.shares.reduce((sum, share) => sum + share.tokens, 0)
  const total = adoption.shares.reduce((sum, share) => sum + share.values, 0)
  if (count * 100 >= Number(min) * total) return 0
  throw new CliError(`min: expected at least ${min} % of the values to be tokens, got ${count} of ${total}`)
}

/** Returns stylesheets, including the stylesheets in folders, by their path relative to the current folder. */
function readFiles(option: string, paths: readonly string[]): Map<string, string> {
  const files = paths.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) throw usageError(`${option}: expected a file or folder, got '${path}'`)
    if (!stats.isDirectory()) return [path]
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

/** Returns the pages of the site, and the pages of its styleguide. */
async function readPages(site: URL, limit: number): Promise<{ sitePages: CrawledPage[]; guidePages: CrawledPage[] }> {
  const prefix = site.pathname === '/' ? '/styleguide' : site.pathname.replace(/\/$/, '')
  const { pages } = await crawlSite(new URL('/', site), [prefix], limit)
  const isStyleguide = ({ path }: CrawledPage) => `${path.split('?')[0]}/`.startsWith(`${prefix}/`)
  const htmlPages = [...pages.values()].filter(({ tags }) => tags.length > 0)
  const guidePages = htmlPages.filter(isStyleguide)
  if (guidePages.length === 0) console.error(`There is no styleguide at ${prefix}, so no components are known.`)
  return { sitePages: htmlPages.filter((page) => !isStyleguide(page)), guidePages }
}

/** Returns the stylesheets of pages: linked stylesheets of the site's origin, and `<style>` elements. */
async function fetchStylesheets(pages: readonly CrawledPage[], origin: string): Promise<Map<string, string>> {
  const tags = pages.flatMap((page) => page.tags.map((tag) => ({ ...tag, path: page.path })))
  const linked = tags.filter((tag) => hasRelation(tag, 'stylesheet'))
  const urls = linked.map(({ attributes, path }) => new URL(attributes.href ?? '', origin + path))
  const paths = urls.filter((url) => url.origin === origin).map(({ pathname, search }) => pathname + search)
  const read = async (response: Response) => ({ text: await response.text(), next: [] })
  const { results, faults } = await crawl(origin, paths, Number.POSITIVE_INFINITY, 'follow', read)
  for (const [path, fault] of faults) throw new CliError(`${origin}${path} ${fault}`)
  const styles = tags.filter(({ name }) => name === 'style')
  const uniqueStyles = styles.filter(({ text }, index) => styles.findIndex((style) => style.text === text) === index)
  const inline = uniqueStyles.map(({ text, path }, index) => [`${path} <style> ${index + 1}`, text] as const)
  return new Map([...Array.from(results, ([path, { text }]) => [path, text] as const), ...inline])
}

function printTables(adoption: Adoption): void {
  for (const { kind, percent, tokens, values } of adoption.shares)
    print(`${kind}: ${percent} % tokens, ${tokens} of ${values}`)
  for (const { title, rows } of adoptionTables(adoption)) {
    const cells = rows.map((row) => row.map((cell) => [cell].flat().join(', ')))
    print('', `${title}: ${rows.length}`, ...alignColumns(cells))
  }
}
