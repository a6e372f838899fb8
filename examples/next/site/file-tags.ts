import type { Page } from '@sitewright/example-site'

/** Returns the files that a page shows something of, by which the webhook of a push purges it. */
export function fileTags(page: Page): string[] {
  const { language, articles, home } = page.site
  const file = (name: string) => `content/${language}/${name}.md`
  const articleFiles = (shown: readonly { slug: string }[]) => shown.map(({ slug }) => file(`articles/${slug}`))
  if (page.kind === 'home') return [file('home'), ...articleFiles([home.cover, ...home.selection])]
  if (page.kind === 'about') return [file('about')]
  if (page.kind === 'articles') return articleFiles(articles)
  if (page.kind !== 'article') return []
  // It links to the previous and the next article by their titles.
  const index = articles.indexOf(page.article)
  return articleFiles(articles.slice(Math.max(0, index - 1), index + 2))
}
