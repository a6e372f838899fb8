import { createRoutes } from 'sitewright/localized-pages'

/** The languages of the site, and its paths in each. Paths of the first language have no prefix. */
const table = {
  languages: ['en', 'de'],
  default: 'en',
  prefix: 'except-default',
  // The front page leads visitors to their language.
  detect: true,
  paths: {
    '/about': { de: '/ueber-uns' },
    '/articles': { de: '/beitraege' },
    '/articles/[slug]': { de: '/beitraege/[slug]' },
  },
} as const

/** The routes without the content: enough for paths and links. */
export const routes = createRoutes(table)
export const { languages, pathTo } = routes

export type Language = (typeof languages)[number]
export type Path = Parameters<typeof pathTo>[0]

interface TranslatedSite {
  articlesBySlug: ReadonlyMap<string, { photograph: { src: string } }>
  articlesByPhotograph: ReadonlyMap<string, { slug: string }>
}

/** Creates the routes with the slugs of the content. An article and its translation show the same photograph. */
export function createSiteRoutes(readSites: () => Promise<Readonly<Record<Language, TranslatedSite>>>) {
  return createRoutes({
    ...table,
    async translationsOf({ language, slug }) {
      const sites = await readSites()
      const src = sites[language].articlesBySlug.get(slug)?.photograph.src ?? ''
      const slugIn = (targetLanguage: Language) => sites[targetLanguage].articlesByPhotograph.get(src)?.slug
      return { en: slugIn('en'), de: slugIn('de') }
    },
  })
}
