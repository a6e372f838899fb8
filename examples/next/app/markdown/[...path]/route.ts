import { createMarkdown } from 'sitewright/localized-pages'
import { nextRoute } from 'sitewright/next'
import { readPageMarkdown } from '../../../site/page'
import { routes } from '../../../site/routes'

export const { GET } = nextRoute(createMarkdown(routes, readPageMarkdown))
// Stored like the pages, until one of their tags is purged.
export const dynamic = 'force-static'
export const generateStaticParams = () => []
