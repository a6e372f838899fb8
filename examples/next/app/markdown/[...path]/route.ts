import { findPage, pageMarkdown } from '@sitewright/example-site'
import { createMarkdown } from 'sitewright/localized-pages'
import { nextRoute } from 'sitewright/next'
import { readSites, tagPage } from '../../../site/content'
import { fileTags } from '../../../site/file-tags'
import { routes } from '../../../site/routes'

export const { GET } = nextRoute(
  createMarkdown(routes, async (localized, request) => {
    console.log('REQ', request.url)
    const page = findPage(await readSites(), localized)
    if (page) await tagPage(fileTags(page))
    return page && new Response(pageMarkdown(page))
  }),
)
// Stored like the pages, until one of its tags is purged.
export const dynamic = 'force-static'
export const generateStaticParams = () => []
