import { notFoundPage, PageBody, routes } from '@sitewright/example-site'
import { readSites } from '../../site/content'
import { Picture } from '../../site/picture'

export default async function NotFound() {
  return <PageBody page={notFoundPage(await readSites(), routes.match(routes.pathTo('/', 'de')))} Picture={Picture} />
}
