import { createRoutes } from 'sitewright/localized-pages'

const slugs = [{ en: 'house-cat', de: 'größe' }]

export const routes = createRoutes({
  languages: ['en', 'de'],
  default: 'en',
  prefix: 'except-default',
  detect: true,
  paths: { '/about': { de: '/ueber-uns' }, '/articles/[slug]': { de: '/beitraege/[slug]' } },
  translationsOf: ({ slug, language }) => slugs.find((pageSlugs) => pageSlugs[language] === slug),
})
