import type { LocalizedPage } from 'sitewright/localized-pages'
import type { Article, Text } from './content/articles.ts'
import type { Language } from './content/languages.ts'
import type { Site, Sites } from './content/site.ts'

/** The page at a URL. */
export type Page = { site: Site; localized: LocalizedPage<Language>; title: string; summary: string } & (
  | { kind: 'home' | 'articles' | 'not-found' }
  | { kind: 'about'; text: Text }
  | { kind: 'article'; article: Article }
)

/** Finds the content of a page. Returns `undefined` when there is no such page. */
export function findPage(sites: Sites, localized: LocalizedPage<Language>): Page | undefined {
  const site = sites[localized.language]
  const { home, about, labels } = site
  switch (localized.route) {
    case '/':
      return { kind: 'home', site, localized, title: home.title, summary: home.summary }
    case '/about':
      return { kind: 'about', site, localized, title: about.title, summary: about.summary, text: about }
    case '/articles':
      return { kind: 'articles', site, localized, title: labels.articlesTitle, summary: labels.articlesSummary }
    case '/articles/[slug]': {
      const article = site.articlesBySlug.get(localized.slug[1] ?? '')
      return article && { kind: 'article', site, localized, title: article.title, summary: article.summary, article }
    }
    default:
      return undefined
  }
}

/** Returns the page for a path that does not exist. */
export function notFoundPage(sites: Sites, localized: LocalizedPage<Language>): Page {
  const site = sites[localized.language]
  const { notFoundTitle: title, notFoundSummary: summary } = site.labels
  return { kind: 'not-found', site, localized: { ...localized, route: undefined, translations: {} }, title, summary }
}

/** What `llms.txt` says of the site. */
export const siteSummary = {
  title: 'Silver & Salt',
  summary: 'A journal of early photography, in English and German. One print at a time.',
}

/** The pages of the sitemap and of `llms.txt`. The articles are those in English, and the routes know their translations. */
export function sitePages({ en }: Sites) {
  const { home, about, labels } = en
  return [
    { path: '/', title: home.title, summary: home.summary },
    { path: '/articles', title: labels.articlesTitle, summary: labels.articlesSummary },
    { path: '/about', title: about.title, summary: about.summary },
    ...en.articles.map(({ slug, title, summary }) => ({ path: `/articles/${slug}` as const, title, summary })),
  ] as const
}
