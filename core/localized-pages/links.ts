import type { Table } from './table.js'
import type { HeadLink, LanguageLink, LocalizedPage } from './types.js'

/**
 * Returns the paths of a page by `hreflang`, with `x-default`; none if it is in one language only
 * (https://developers.google.com/search/docs/specialty/international/localized-versions).
 */
export function alternatesOf({ translations }: LocalizedPage, fallback: string): [hrefLang: string, path: string][] {
  const paths = Object.entries(translations as Record<string, string>)
  const standard = translations[fallback]
  if (paths.length < 2) return []
  return standard === undefined ? paths : [...paths, ['x-default', standard]]
}

/** Returns the links to a page's canonical URL and its alternates. */
export function headLinks(page: LocalizedPage, fallback: string, origin: string): HeadLink[] {
  if (page.route === undefined) return []
  const alternates = alternatesOf(page, fallback).map(([hrefLang, path]) => ({ hrefLang, href: origin + path }))
  return [
    { rel: 'canonical', href: origin + page.path },
    ...alternates.map((link) => ({ rel: 'alternate' as const, ...link })),
  ]
}

/** Writes links as HTML. */
export function linksToHtml(links: readonly HeadLink[]): string {
  const attributes = ({ rel, hrefLang }: HeadLink) => `rel="${rel}"${hrefLang ? ` hreflang="${hrefLang}"` : ''}`
  return links.map((link) => `<link ${attributes(link)} href="${escapeXml(link.href)}">`).join('\n')
}

/** Writes links as the value of a `Link` header (RFC 8288). */
export function linksToHeader(links: readonly HeadLink[]): string {
  const language = ({ hrefLang }: HeadLink) => (hrefLang ? `; hreflang="${hrefLang}"` : '')
  return links.map((link) => `<${link.href}>; rel="${link.rel}"${language(link)}`).join(', ')
}

/** Escapes text for HTML and XML, also in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns the links of a language switch. Where a page is not translated, its link leads to the nearest page above it. */
export function languageLinks(table: Table, { language: current, slug, translations }: LocalizedPage): LanguageLink[] {
  return table.languages.map((language) => {
    const path = translations[language]
    const isCurrent = language === current
    return { language, href: path ?? pathAbove(table, slug, language), isCurrent, isTranslated: path !== undefined }
  })
}

/** Returns the path of the nearest page above that needs no slug. */
function pathAbove(table: Table, slug: readonly string[], language: string): string {
  const above = slug.slice(0, -1)
  const found = table.find(`/${above.join('/')}`, language, true)
  const page = found?.slug === '' ? table.pageIn(language, found) : undefined
  return page?.path ?? pathAbove(table, above, language)
}
