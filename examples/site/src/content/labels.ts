import type { Fields } from './fields.ts'

const names = [
  'skip',
  'menu',
  'languages',
  'articles',
  'articlesTitle',
  'articlesSummary',
  'about',
  'cover',
  'readCover',
  'inThisIssue',
  'allArticles',
  'minutes',
  'aboutPhotograph',
  'photographer',
  'work',
  'date',
  'process',
  'collection',
  'museum',
  'rights',
  'publicDomain',
  'viewAtMuseum',
  'previous',
  'next',
  'moreArticles',
  'credits',
  'notFoundTitle',
  'notFoundSummary',
  'backHome',
] as const

/** Texts of the interface, which belong to no single page. */
export type Labels = Readonly<Record<(typeof names)[number], string>>

export function readLabels(fields: Fields): Labels {
  return Object.fromEntries(names.map((name) => [name, fields.text(name)])) as Labels
}
