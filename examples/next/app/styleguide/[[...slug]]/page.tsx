import { join } from 'node:path'
import { loadSites } from 'example-site'
import { createStyleguideTree } from 'example-site/styleguide'
import { createStyleguidePage, styleguideMetadata } from 'sitewright/next'
import { StyleguidePage } from 'sitewright/react/styleguide'
import { Picture } from '../../../site/picture'

const folder = join(process.cwd(), '../site')
const { en } = await loadSites(folder)
const tree = await createStyleguideTree(join(folder, 'styles'), en, Picture)

export const metadata = { ...styleguideMetadata, title: 'Styleguide – Silver & Salt' }
export default createStyleguidePage({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: ({ slug }) => <StyleguidePage tree={tree} slug={slug} />,
})
