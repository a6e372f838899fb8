import { localizedMetadata, localizedPage } from 'sitewright/localized-pages'
import * as site from '../../../site/page'

export default localizedPage(site.Page, 'en')
export const generateMetadata = localizedMetadata(site.generateMetadata, 'en')
// Rendered on the first request, and cached until an editor publishes.
export const generateStaticParams = () => []
