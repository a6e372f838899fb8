import { type CardMeta, cardMeta, type Images } from 'sitewright/image'
import type { Page } from '../routes.ts'
import { hasCards } from './images.ts'

/** Returns the picture for links to a page: an article's social card, or else a photograph. */
export function createCard(page: Page, images: Images, origin: string): CardMeta[] {
  const isArticle = page.kind === 'article'
  const { src, focus, alt } = isArticle ? page.article.photograph : page.site.home.cover.photograph
  const { language } = page.site
  const picture =
    isArticle && hasCards()
      ? images.card({ src, focus, title: page.title, language, tags: [page.localized.path] })
      : images.loader({ src, width: 1200 })
  return cardMeta(picture, { origin, alt })
}
