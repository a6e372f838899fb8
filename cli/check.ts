import { type CrawledPage, crawlSite, type OnPage, readSite } from './crawl.js'

export interface CheckResult {
  pages: number
  alternates: number
  /** Whether there are more pages than the limit. */
  isCut: boolean
  /** A sentence for each fault. */
  findings: string[]
}

/**
 * Crawls a site, and checks that each alternate answers 200, links back, and has the `lang` that it says.
 *
 * @param limit Maximum number of pages.
 * @throws CliError when the site does not answer.
 */
export async function checkSite(site: string, limit: number, onPage: OnPage): Promise<CheckResult> {
  const { pages, listed, isCut } = await crawlSite(readSite('check', site), [], limit, onPage)

  const findings = listed.flatMap((path) =>
    pages.get(path)?.fault ? `sitemap: ${path} ${pages.get(path)?.fault}` : [],
  )
  const read = [...pages].filter(([, { fault }]) => fault === undefined)
  const checked = read.filter(([path, { canonical = path }]) => canonical === path)
  for (const [path, page] of checked) findings.push(...checkPage(path, page, pages))
  const alternates = checked.reduce((sum, [, page]) => sum + page.alternates.length, 0)
  if (alternates === 0) findings.push('no page has alternates')
  return { pages: read.length, alternates, isCut, findings }
}

/** Checks the alternates of a page. Those that were not read, because of the limit, are not checked. */
function checkPage(path: string, { alternates }: CrawledPage, pages: ReadonlyMap<string, CrawledPage>): string[] {
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
