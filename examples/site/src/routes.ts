import type { Article, Text } from './content/articles.ts'
import { type Language, languages, type Site, type Sites } from './content/site.ts'

/** The page at a path. `path` has no language prefix: `'/articles/house-cat'`. */
export type Page = { site: Site; path: string; title: string; summary: string } & (
  | { kind: 'home' | 'articles' | 'not-found' }
  | { kind: 'about'; text: Text }
  | { kind: 'article'; article: Article }
)

/**
 * Finds a page by its slug, which begins with the language as from `localizedPage`: `['en', 'articles', 'house-cat']`.
 * Returns `undefined` when there is no such page.
 */
export function findPage(sites: Sites, [language, ...segments]: readonly string[]): Page | undefined {
  const site = languages.includes(language as Language) ? sites[language as Language] : undefined
  if (!site) return undefined
  const { home, about, labels } = site
  const path = `/${segments.join('/')}`
  if (path === '/') return { kind: 'home', site, path, title: home.title, summary: home.summary }
  if (path === '/about') return { kind: 'about', site, path, title: about.title, summary: about.summary, text: about }
  if (path === '/articles') {
    return { kind: 'articles', site, path, title: labels.articlesTitle, summary: labels.articlesSummary }
  }
  const [section, slug = '', ...rest] = segments
  const article = section === 'articles' && rest.length === 0 ? site.articlesBySlug.get(slug) : undefined
  return article && { kind: 'article', site, path, title: article.title, summary: article.summary, article }
}

/** Returns the page for a path that does not exist. */
export function notFoundPage(sites: Sites, language: string | undefined): Page {
  const site = sites[languages.find((known) => known === language) ?? languages[0]]
  const { notFoundTitle: title, notFoundSummary: summary } = site.labels
  return { kind: 'not-found', site, path: '/', title, summary }
}

/** Returns the path of a page in a language. The first language has no prefix. */
export function pagePath(language: Language, path: string): string {
  return language === languages[0] ? path : `/${language}${path === '/' ? '' : path}`
}
