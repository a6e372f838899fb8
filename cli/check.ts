import { type Command, limitOf, siteOf } from './arguments.js'
import { type CrawledPage, type CrawledSite, crawlSite } from './crawl.js'
import { count, print } from './print.js'

/**
 * Checks that each alternate of a site answers 200, links back, and has the `lang` that its `hreflang` names, and that the
 * Markdown of a page has its language and title. Prints the faults.
 */
export async function checkSite(command: Command): Promise<number> {
  const site = await crawlSite(siteOf(command), [], limitOf(command))
  const documents = [...site.pages.values()]
  const listed = documents.flatMap((sitemap) => sitemap.listed)
  const pages = documents.filter((page) => page.listed.length === 0 && !page.isMarkdown)
  const canonicalPages = pages.filter(({ path, canonical = path }) => canonical === path)
  const alternates = canonicalPages.flatMap((page) => page.alternates)
  const unchecked = [...listed, ...alternates.map(([, target]) => target)].filter(isElsewhere).length
  const findings = [
    ...listed.flatMap((path) => (site.faults.has(path) ? `sitemap: ${path} ${site.faults.get(path)}` : [])),
    ...canonicalPages.flatMap((page) => [...checkPage(page, site), ...checkMarkdown(page, site)]),
    ...(alternates.length === 0 ? ['no page has alternates'] : []),
  ]
  const note = unchecked > 0 ? ` (${unchecked} on other domains, not checked)` : ''
  print(findings, `${pages.length} pages, ${alternates.length} alternates${note}: ${count(findings.length, 'fault')}`)
  return findings.length === 0 ? 0 : 1
}

const isElsewhere = (target: string) => /^https?:/i.test(target)

/** Checks the alternates of a page, except those on other domains and beyond the limit of pages. */
function checkPage({ path, alternates }: CrawledPage, { pages, faults }: CrawledSite): string[] {
  const findings = alternates.flatMap(([hrefLang, target]) => {
    if (isElsewhere(target)) return []
    const name = `${path}: ${hrefLang} ${target}`
    const fault = target.startsWith('/') ? faults.get(target) : 'is not a URL'
    if (fault) return [`${name} ${fault}`]
    const alternate = pages.get(target)
    if (!alternate) return []
    const hasExpectedLang = hrefLang === 'x-default' || alternate.language === hrefLang
    const linksBack = alternate.alternates.some(([, href]) => href === path)
    return [
      ...(hasExpectedLang ? [] : [`${name} has ${alternate.language ? `lang="${alternate.language}"` : 'no lang'}`]),
      ...(linksBack ? [] : [`${name} does not link back`]),
    ]
  })
  const isListed = alternates.some(([hrefLang, target]) => target === path && hrefLang !== 'x-default')
  return isListed || alternates.length === 0 ? findings : [...findings, `${path}: is not among its own alternates`]
}

/** Checks that the Markdown of a page is Markdown, names the page, and has its language and title. */
function checkMarkdown({ path, language, titles, markdown = '' }: CrawledPage, site: CrawledSite): string[] {
  const fault = site.faults.get(markdown)
  const found = site.pages.get(markdown)
  if (fault) return [`${path}: Markdown ${markdown} ${fault}`]
  if (!found) return []
  const [title = ''] = found.titles
  const findings = [
    ...(found.isMarkdown ? [] : ['is not text/markdown']),
    ...(found.canonical === path ? [] : ['does not link back']),
    ...(found.language === language ? [] : [`has the language '${found.language ?? ''}'`]),
    ...(title && titles.some((text) => text.includes(title)) ? [] : [`has the title '${title}'`]),
  ]
  return findings.map((finding) => `${path}: Markdown ${markdown} ${finding}`)
}
