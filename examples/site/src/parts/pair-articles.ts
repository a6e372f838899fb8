import type { Article } from '../content/articles.ts'
import { aspectRatio } from './picture.ts'

export interface PlacedArticle {
  article: Article
  /** Columns of twelve. */
  span: number
}

/**
 * Sets articles two to a row, so that both pictures of a row are about equally high whatever their shapes: twelve
 * columns are shared out in proportion to the aspect ratios, four at least to each.
 */
export function pairArticles(articles: readonly Article[]): PlacedArticle[] {
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
