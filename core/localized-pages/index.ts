export { type LocalizedFunction, localizedMetadata, localizedPage } from './localize.js'
export {
  createMarkdown,
  type MarkdownOptions,
  markdownLink,
  markdownPath,
  negotiateMarkdown,
  prefersMarkdown,
} from './markdown.js'
export { createRoutes, type Routes } from './routes.js'
export { createSitemap, type SitemapOptions, type SitemapPage } from './sitemap.js'
export type * from './types.js'
