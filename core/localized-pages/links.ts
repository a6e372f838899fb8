import type { Table } from './table.js'
import type { HeadLink, LanguageLink, LocalizedPage } from './types.js'

/**
 * Returns the links to a page's canonical URL and, unless it is in one language only, to its alternates with `x-default`
 * (https://developers.google.com/search/docs/specialty/international/localized-versions).
 */
export function headLinks({ route, path, translations }: LocalizedPage, fallback: string, origin: string): HeadLink[] {
  if (route === undefined) return []
  const paths = { ...translations, 'x-default': translations[fallback] }
  const alternates = Object.entries(paths).flatMap(([hrefLang, translated]): HeadLink[] =>
    translated === undefined ? [] : [{ rel: 'alternate', hrefLang, href: origin + translated }],
  )
  const isTranslated = Object.keys(translations).length > 1
  return [{ rel: 'canonical', href: origin + path }, ...(isTranslated ? alternates : [])]
}

/** Writes the attributes of a link for HTML and XML. */
export function linkToXml(link: HeadLink): string {
  return `${describeLink(link).join(' ')} href="${escapeXml(link.href)}"`
}

/** Writes links as the value of a `Link` header (RFC 8288). */
export function linksToHeader(links: readonly HeadLink[]): string {
  return links.map((link) => [`<${link.href}>`, ...describeLink(link)].join('; ')).join(', ')
}

function describeLink({ rel, hrefLang }: HeadLink): string[] {
  return [`rel="${rel}"`, ...(hrefLang ? [`hreflang="${hrefLang}"`] : [])]
}

/** Escapes text for HTML and XML, also in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns the link of a language switch. If the page is not translated, it leads to the nearest page above it that needs no slug. */
export function languageLink(table: Table, page: LocalizedPage, language: string): LanguageLink {
  const path = page.translations[language]
  const pathAbove = (slug: readonly string[]): string => {
    const above = slug.slice(0, -1)
    const { page, found } = table.locate(`/${above.map(encodeURIComponent).join('/')}`, language)
    return found?.slug === '' ? page.path : pathAbove(above)
  }
  const href = path ?? pathAbove(page.slug)
  return { language, href, isCurrent: language === page.language, isTranslated: path !== undefined }
}
