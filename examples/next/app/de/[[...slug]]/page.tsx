import { localizedMetadata, localizedPage } from 'sitewright/next'
import * as site from '../../../site/page'

export default localizedPage(site.Page, 'de')
export const generateMetadata = localizedMetadata(site.generateMetadata, 'de')
// Rendered when they are first asked for, and kept until an editor publishes.
export const generateStaticParams = () => []
