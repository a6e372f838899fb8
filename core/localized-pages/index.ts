export { type LocalizedFunction, localizedMetadata, localizedPage } from './localize.js'
export { createRoutes, type Routes } from './routes.js'
export { createSitemap, type SitemapOptions, type SitemapPage } from './sitemap.js'
export type * from './types.js'
