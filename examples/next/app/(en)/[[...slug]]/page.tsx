import { localizedMetadata, localizedPage } from 'sitewright/next'
import * as site from '../../../site/page'

export default localizedPage(site.Page, 'en')
export const generateMetadata = localizedMetadata(site.generateMetadata, 'en')
// Rendered when they are first asked for, and kept until an editor publishes.
export const generateStaticParams = () => []
