import { join } from 'node:path'
import { loadSites } from '@sitewright/example-site'
import { createStyleguideTree } from '@sitewright/example-site/styleguide'
import { createStyleguideMetadata, createStyleguidePage } from 'sitewright/next'
import { StyleguidePage } from 'sitewright/react/styleguide'
import { measureImages } from 'sitewright/styleguide'
import loader from '../../../image-loader'
import { images } from '../../../site/images'
import { Picture } from '../../../site/picture'

const folder = join(process.cwd(), '../site')
const { en } = await loadSites(folder)
const tree = await createStyleguideTree({
  styles: join(folder, 'styles'),
  pages: join(folder, 'styleguide'),
  site: en,
  Picture,
  measure: (src) => measureImages({ fetch: images.handler, loader, src }),
})

const enabled = process.env.STYLEGUIDE_ENABLED === 'true'

export const generateMetadata = createStyleguideMetadata({
  tree,
  enabled,
  title: ({ page }) => `${page.title} – Silver & Salt`,
})
export default createStyleguidePage({
  tree,
  enabled,
  render: ({ slug }) => <StyleguidePage tree={tree} slug={slug} />,
})
