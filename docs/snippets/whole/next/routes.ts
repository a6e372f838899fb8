import { createRoutes } from 'sitewright/localized-pages'

export const routes = createRoutes({
  languages: ['en', 'de'],
  default: 'en',
  paths: { '/about': { de: '/ueber-uns' } },
})
