import { notFoundPage, PageBody } from '@sitewright/example-site'
import { readSites } from '../../site/content'
import { Picture } from '../../site/picture'

export default async function NotFound() {
  return <PageBody page={notFoundPage(await readSites(), 'en')} Picture={Picture} />
}
