import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Adoption } from '../core/styleguide/index.js'
import { adoptionTables, readStylesheet } from '../core/styleguide/internal.js'
import { CliError, type Command, limitOf, siteOf, usageError } from './arguments.js'
import { type CrawledPage, crawl, crawlSite } from './crawl.js'
import { decodeReferences, hasRelation, readTags, type Tag, toUrl } from './html.js'
import { measureTokens } from './measure-tokens.js'
import { alignColumns, print, printError } from './print.js'
import { keepState } from './styleguide-state.js'

/** Measures how closely a site follows its styleguide, prints the result, and returns the exit code. */
export async function checkStyleguide(command: Command): Promise<number> {
  const { css = [], json, min = '0', start, state, tokens = [] } = command.values
  const site = siteOf(command)
  if (!/^(?:\d{1,2}(?:\.\d+)?|100)$/.test(min)) throw usageError(`min: expected a percentage such as 80, got '${min}'`)
  if (start !== undefined && !start.startsWith('/'))
    throw usageError(`start: expected a path such as /de, got '${start}'`)
  const files = readFiles('css', css)
  const declared = [...readFiles('tokens', tokens).values()].join('\n')

  const { sitePages, guidePages } = await readPages(site, start, limitOf(command))
  if (sitePages.length === 0) throw new CliError(`${site.href} has no page that answers 200`)
  const stylesheets = css.length > 0 ? files : await fetchStylesheets(sitePages, site.origin)
  const source = declared || [...stylesheets.values()].join('\n')
  if (readStylesheet(source).root.length === 0)
    throw usageError('tokens: expected custom properties of the document, such as :root { --ink: #111 }, got none')
  const adoption: Adoption = {
    ...measureTokens(stylesheets, source),
    pictures: sitePages.flatMap(findPictures),
    headings: sitePages.flatMap(findHeadings),
    components: findComponents(sitePages, guidePages),
  }
  if (json) print(JSON.stringify(adoption, null, 2).split('\n'))
  else printTables(adoption)
  if (state) await keepState(state, new URL(prefixOf(site), site))
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

/** Returns the path of the styleguide. */
function prefixOf({ pathname }: URL): string {
  return pathname === '/' ? '/styleguide' : pathname.replace(/\/$/, '')
}

/**
 * Returns the pages of the site, and the pages of its styleguide.
 *
 * @param start The path of the first page, which may redirect. Default: the path above the styleguide, such as `/shop`
 *   with a `basePath` of Next.js.
 */
async function readPages(site: URL, start: string | undefined, limit: number) {
  const prefix = prefixOf(site)
  const first = new URL(start ?? (prefix.slice(0, prefix.lastIndexOf('/')) || '/'), site)
  const { pages } = await crawlSite(first, [prefix], limit, true)
  const isStyleguide = ({ path }: CrawledPage) => `${path.split('?')[0]}/`.startsWith(`${prefix}/`)
  const htmlPages = [...pages.values()].filter(({ html }) => html !== '')
  const guidePages = htmlPages.filter(isStyleguide)
  if (guidePages.length === 0) printError(`There is no styleguide at ${prefix}, so no components are known.`)
  return { sitePages: htmlPages.filter((page) => !isStyleguide(page)), guidePages }
}

/** Returns the stylesheets of pages: linked stylesheets of the site's origin, and `<style>` elements. */
async function fetchStylesheets(pages: readonly CrawledPage[], origin: string): Promise<Map<string, string>> {
  const paths: string[] = []
  const inline = new Map<string, string>()
  for (const { path, html } of pages)
    for (const tag of readTags(html)) {
      const { href } = tag.attributes
      const url = href && hasRelation(tag, 'stylesheet') ? toUrl(href, origin + path) : undefined
      if (url?.origin === origin) paths.push(url.pathname + url.search)
      if (tag.name === 'style' && !inline.has(tag.text)) inline.set(tag.text, `${path} <style> ${inline.size + 1}`)
    }
  const { results, faults } = await crawl(origin, paths, {}, (body) => ({ text: String(body), next: () => [] }))
  for (const [path, fault] of faults) throw new CliError(`${origin}${path} ${fault}`)
  const linked = Array.from(results, ([path, { text }]) => [path, text] as const)
  return new Map([...linked, ...Array.from(inline, ([text, place]) => [place, text] as const)])
}

function printTables(adoption: Adoption): void {
  print(adoption.shares.map((share) => `${share.kind}: ${share.percent} % tokens, ${share.tokens} of ${share.values}`))
  for (const { title, rows } of adoptionTables(adoption)) {
    const cells = rows.map((row) => row.map((cell) => [cell].flat().join(', ')))
    print('', `${title}: ${rows.length}`, alignColumns(cells))
  }
}

/** Finds pictures without a text alternative: pictures with neither a label nor an `alt`. An empty `alt` is enough. */
function findPictures({ path, html }: CrawledPage): Adoption['pictures'] {
  return readTags(html).flatMap(({ name, attributes }) => {
    const { alt, role, type, src = `<${name}>` } = attributes
    const isPicture = name === 'img' || (name === 'input' && type === 'image') || (name === 'svg' && role === 'img')
    const hasText = [alt, attributes['aria-label'], attributes['aria-labelledby']].some((text) => text !== undefined)
    const isHidden = attributes['aria-hidden'] === 'true' || role === 'none' || role === 'presentation'
    return isPicture && !hasText && !isHidden ? { page: path, picture: src } : []
  })
}

/** Finds headings that skip a level, such as an `h4` after an `h2`. The first heading of a page may be `h1` or `h2`. */
function findHeadings({ path, html }: CrawledPage): Adoption['headings'] {
  const headings = readTags(html).filter(({ name }) => /^h[1-6]$/.test(name))
  return headings.flatMap(({ name, text }, index) => {
    const after = headings[index - 1]?.name ?? 'h1'
    const skips = Number(name[1]) > Number(after[1]) + 1
    return skips ? { page: path, heading: `${name} ${decodeReferences(text.trim())}`.trim(), after } : []
  })
}

/**
 * Finds the pages that use each component of the styleguide. A component is recognized by its outermost element: by the
 * tag name, and by the classes that all its variants share; if these are utilities, by all classes of a variant.
 *
 * @param site The pages of the site.
 * @param guide The pages of the styleguide.
 */
function findComponents(site: readonly CrawledPage[], guide: readonly CrawledPage[]): Adoption['components'] {
  const roots = new Map(guide.map(({ path, html }) => [path, rootOf(readTags(html))]))
  const components = guide.flatMap(({ path, html }) => {
    const tags = readTags(html)
    const frames = tags.filter(({ attributes }) => attributes['data-sw-scheme'] !== undefined)
    const sources = new Set(frames.map(({ attributes }) => attributes.src ?? ''))
    const [root, ...furtherRoots] = [...sources].flatMap((source) => roots.get(source) ?? [])
    if (!root) return []
    const classes = classesOf(root).filter((name) => furtherRoots.every((tag) => classesOf(tag).includes(name)))
    // Other elements have classes such as `flex` and `p-4`, too, but rarely all those of a variant, and no more.
    const isOfUtilities = classes.length > 2 || classes.some((name) => /-\d|[:[]/.test(name))
    const lists = [root, ...furtherRoots].map((tag) => classesOf(tag).join(' '))
    const hasClasses = (names: string[]) =>
      isOfUtilities ? lists.includes(names.join(' ')) : classes.every((name) => names.includes(name))
    const isRoot = (tag: Tag) => classes.length > 0 && tag.name === root.name && hasClasses(classesOf(tag))
    const title = tags.find(({ name }) => name === 'h1')?.text ?? path
    const component = classes.length > 0 ? title : `${title} (without a class to find it by)`
    return { isRoot, adoption: { component, pages: [] as string[] } }
  })
  for (const { path, html } of site) {
    const tags = readTags(html)
    for (const { isRoot, adoption } of components) if (tags.some(isRoot)) adoption.pages.push(path)
  }
  return components.map(({ adoption }) => adoption)
}

/**
 * Returns a component's outermost element on the page of a variant. If the variant has states, the element is within a
 * `figure`, and within its surroundings behind a mark.
 */
function rootOf(tags: readonly Tag[]): Tag | undefined {
  const mark = tags.findIndex(({ attributes }) => attributes['data-sw-component'] !== undefined)
  if (mark >= 0) return tags[mark + 1]
  const index = tags.findIndex((tag) => /^sw-(?:padded|fullscreen)/.test(tag.attributes.class ?? ''))
  return index < 0 ? undefined : tags[index + (classesOf(tags[index]).includes('sw-states') ? 2 : 1)]
}

function classesOf(tag: Tag | undefined): string[] {
  return tag?.attributes.class?.split(/\s+/).filter(Boolean) ?? []
}
