import { createSiteRoutes } from '@sitewright/example-site/languages'
import { readSites } from './content'

export const routes = createSiteRoutes(readSites)

// The same variables as those of the other examples.
const { SITE_URL, HOST, PORT } = process.env
/** Origin of the site, for absolute links. */
export const origin = SITE_URL || `http://${HOST ?? 'localhost'}:${PORT ?? 3000}`
