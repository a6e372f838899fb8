import { checkOrigin } from '../options.js'
import { escapeXml } from '../xml.js'
import { directionOf } from './negotiate.js'
import { encodePath, type Table } from './table.js'
import type { LocalizedPage, RoutesOptions } from './types.js'

/** A `<link>` of a page's head: `canonical` without `hrefLang`, or `alternate` with a language or `'x-default'`. */
export type HeadLink = { rel: string; href: string; hrefLang?: string }

/** Creates the functions for the head and the language switch of a page. */
export function createLinks<Language extends string>(table: Table, options: RoutesOptions) {
  const links = (page: LocalizedPage, origin: string) => linksFrom(page, checkOrigin('origin', origin))
  const linksFrom = ({ route, path, translations }: LocalizedPage, origin: string): HeadLink[] => {
    if (route === undefined) return []
    const paths = Object.entries({ ...translations, 'x-default': translations[options.default] })
    const translated = Object.keys(translations).length > 1 ? paths.filter(([, href]) => href) : []
    const alternates = translated.map(([hrefLang, href]) => ({ rel: 'alternate', hrefLang, href: origin + href }))
    return [{ rel: 'canonical', href: origin + path }, ...alternates]
  }
  /** Returns the path of the nearest page above a slug whose own path in the table has no `[slug]`. */
  const pathAbove = (slug: readonly string[], language: string): string => {
    const above = slug.slice(0, -1)
    const { page, match } = table.locate(encodePath(above.join('/')), language)
    return match?.slug === '' ? page.path : pathAbove(above, language)
  }

  return {
    /** Returns the attributes of `<html>`. */
    html: (language: string) => ({ lang: language, dir: directionOf(language) }),
    /**
     * Returns the links of a page's head, as React props: the canonical link and, for a page in several languages, one
     * link for each language and one for `x-default`
     * (https://developers.google.com/search/docs/specialty/international/localized-versions).
     *
     * @param origin Origin of the site: `'https://www.example.com'`.
     * @throws TypeError if the origin is malformed, such as with a slash at its end.
     */
    links,
    /** Like `links`, as HTML. */
    linkHtml(page: LocalizedPage, origin: string) {
      const tags = links(page, origin).map((link) => `<link ${linkAttributes(link).join(' ')}>`)
      return tags.join('\n')
    },
    /** Like `links`, as the value of a `Link` header (RFC 8288). */
    linkHeader(page: LocalizedPage, origin: string) {
      const values = links(page, origin).map(({ href, ...link }) => [`<${href}>`, ...linkAttributes(link)].join('; '))
      return values.join(', ')
    },
    /**
     * Like `links`, as the `alternates` of Next.js' metadata: canonical, languages and `x-default`. Next.js resolves
     * the paths with `metadataBase`.
     *
     * @example export const generateMetadata = async () => ({ metadataBase, alternates: routes.alternates(page) })
     */
    alternates(page: LocalizedPage) {
      const [canonical, ...alternates] = linksFrom(page, '')
      const languages = Object.fromEntries(alternates.map(({ hrefLang = '', href }) => [hrefLang, href]))
      return { canonical: canonical?.href ?? null, languages }
    },
    /**
     * Returns the links of a language switch, for `<LanguageSwitch>` or a template. In a language that does not have
     * the page (`isTranslated` is `false`), the link leads to the nearest page above it whose path in the table has no
     * `[slug]`.
     */
    languageLinks: (page: LocalizedPage) =>
      (options.languages as readonly Language[]).map((language) => {
        const path = page.translations[language]
        const href = path ?? pathAbove(page.slug, language)
        return { language, href, isCurrent: language === page.language, isTranslated: path !== undefined }
      }),
  }
}

/** Writes the attributes of a link for HTML and XML. */
export function linkAttributes(link: Partial<HeadLink>): string[] {
  return Object.entries(link).map(([name, value]) => `${name.toLowerCase()}="${escapeXml(value)}"`)
}
