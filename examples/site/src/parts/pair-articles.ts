import type { Article } from '../content/articles.ts'
import { aspectRatio } from './picture.ts'

export interface ArticleCell {
  article: Article
  /** Number of columns that the article spans, of twelve. */
  span: number
}

/**
 * Lays out articles in rows of two, whose images are about equally high whatever their aspect ratios: the twelve
 * columns are divided in proportion to the aspect ratios, with at least four for each.
 */
export function pairArticles(articles: readonly Article[]): ArticleCell[] {
  return articles.map((article, index) => {
    const isFirst = index % 2 === 0
    const neighbour = articles[isFirst ? index + 1 : index - 1]
    if (!neighbour) return { article, span: 12 / 2 }
    const [first, second] = isFirst ? [article, neighbour] : [neighbour, article]
    const [left, right] = [aspectRatio(first.photograph), aspectRatio(second.photograph)]
    const leftSpan = Math.min(8, Math.max(4, Math.round((12 * left) / (left + right))))
    return { article, span: isFirst ? leftSpan : 12 - leftSpan }
  })
}
