import { type Command, limitOf, siteOf } from './arguments.js'
import { type CrawledPage, crawlSite } from './crawl.js'
import { count, print } from './print.js'

/**
 * Checks that each alternate of a site answers 200, links back, and has the `lang` that its `hreflang` names. Prints
 * the faults.
 */
export async function checkSite(command: Command): Promise<number> {
  const { pages, listed } = await crawlSite(siteOf(command), [], limitOf(command))
  const read = [...pages.values()].filter(({ fault }) => fault === undefined)
  const checked = read.filter(({ path, canonical = path }) => canonical === path)
  const alternates = checked.reduce((sum, page) => sum + page.alternates.length, 0)
  const findings = [
    ...listed.flatMap((path) => (pages.get(path)?.fault ? `sitemap: ${path} ${pages.get(path)?.fault}` : [])),
    ...checked.flatMap((page) => checkPage(page, pages)),
    ...(alternates === 0 ? ['no page has alternates'] : []),
  ]
  print(...findings, `${read.length} pages, ${alternates} alternates: ${count(findings.length, 'fault')}`)
  return findings.length === 0 ? 0 : 1
}

/** Checks the alternates of a page. Alternates that were not read, because of the limit, are not checked. */
function checkPage({ path, alternates }: CrawledPage, pages: ReadonlyMap<string, CrawledPage>): string[] {
  const findings = alternates.flatMap(([hrefLang, target]) => {
    const other = pages.get(target)
    const name = `${path}: ${hrefLang} ${target}`
    if (!other) return target.startsWith('/') ? [] : [`${name} is no URL`]
    if (other.fault) return [`${name} ${other.fault}`]
    const isLang = hrefLang === 'x-default' || other.language === hrefLang
    const linksBack = other.alternates.some(([, each]) => each === path)
    return [
      ...(isLang ? [] : [`${name} has ${other.language ? `lang="${other.language}"` : 'no lang'}`]),
      ...(linksBack ? [] : [`${name} does not link back`]),
    ]
  })
  const isListed = alternates.some(([hrefLang, target]) => target === path && hrefLang !== 'x-default')
  return isListed || alternates.length === 0 ? findings : [...findings, `${path}: is not among its own alternates`]
}
