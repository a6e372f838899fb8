import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createRoutes, createSitemap } from 'sitewright/localized-pages'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

// The content system: the slugs of an article in each language that has it.
const articles = [{ en: 'house-cat', de: 'hauskatze' }, { en: 'boats' }]
type Article = Partial<Record<'en' | 'de', string>>

export const routes = createRoutes({
  languages: ['en', 'de'],
  default: 'en',
  prefix: 'except-default',
  paths: {
    '/about': { de: '/ueber-uns' },
    '/articles': { de: '/beitraege' },
    '/articles/[slug]': { de: '/beitraege/[slug]' },
  },
  translationsOf: async ({ slug, language }) =>
    articles.find((article: Article) => article[language] === slug),
})

// A language or a path that does not exist is a type error.
console.log(routes.pathTo('/articles/hauskatze', 'de')) // /de/beitraege/hauskatze

const origin = 'https://www.example.com'
export const sitemap = createSitemap({
  routes,
  origin,
  pages: () => [
    { path: '/' },
    { path: '/about' },
    ...articles.map(({ en }) => ({ path: `/articles/${en}` })),
  ],
})

const store = memoryStore({ maxBytes: 64 * 1024 * 1024 })
export const cache = createResponseCache({ store, fields: routes.cacheFields })

// ?path=/articles/house-cat purges the page in all its languages.
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET ?? '',
  invalidate: cache.invalidate,
  pathsOf: routes.pathsOf,
})
