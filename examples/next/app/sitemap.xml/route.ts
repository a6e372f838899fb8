import { sitePages } from '@sitewright/example-site'
import { createSitemap } from 'sitewright/localized-pages'
import { nextRoute } from 'sitewright/next'
import { readSites } from '../../site/content'
import { origin, routes } from '../../site/routes'

const pages = async function* () {
  yield* sitePages(await readSites())
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(createSitemap({ routes, origin, pages }))
