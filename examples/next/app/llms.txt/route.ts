import { sitePages, siteSummary } from '@sitewright/example-site'
import { createLlmsTxt } from 'sitewright/localized-pages'
import { nextRoute } from 'sitewright/next'
import { readSites } from '../../site/content'
import { origin, routes } from '../../site/routes'

const pages = async function* () {
  yield* sitePages(await readSites())
}
const llmsTxt = createLlmsTxt({ routes, origin, pages, ...siteSummary })

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(llmsTxt)
