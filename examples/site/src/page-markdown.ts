import { pathTo } from './content/languages.ts'
import type { Page } from './routes.ts'

/** Returns a page as Markdown: its title, its summary, and its text as it is written or its list of articles. */
export function pageMarkdown(page: Page): string {
  const { site, title, summary } = page
  const listArticles = () => {
    const lines = site.articles.map((article) => {
      const path = pathTo(`/articles/${article.slug}`, site.language)
      return `- [${article.title}](${path}.md): ${article.summary}`
    })
    return lines.join('\n')
  }
  const parts = [`# ${title}`, summary]
  if (page.kind === 'home') parts.push(site.home.source, `## ${site.labels.inThisIssue}`)
  if (page.kind === 'home' || page.kind === 'articles') parts.push(listArticles())
  if (page.kind === 'about') parts.push(page.text.source)
  if (page.kind === 'article') parts.push(page.article.source)
  return `${parts.join('\n\n')}\n`
}
