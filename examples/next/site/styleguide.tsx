import { join } from 'node:path'
import { loadSites } from '@sitewright/example-site'
import { createStyleguideTree } from '@sitewright/example-site/styleguide'
import { createStyleguidePage } from 'sitewright/next'
import { StyleguidePage } from 'sitewright/react/styleguide'
import { measureImages } from 'sitewright/styleguide'
import loader from '../image-loader'
import { images } from './images'
import { Picture } from './picture'

const xRay = process.env.NODE_ENV === 'development' || process.env.STYLEGUIDE_XRAY === 'true'
const folder = join(process.cwd(), '../site')
const { en } = await loadSites(folder)
const readTree = () =>
  createStyleguideTree({
    styles: join(folder, 'styles'),
    pages: join(folder, 'styleguide'),
    site: en,
    Picture,
    measure: (src) => measureImages({ fetch: images.handler, loader, src }),
  })
const built = await readTree()

const createPage = (tree: typeof built) =>
  createStyleguidePage({
    tree,
    enabled: process.env.STYLEGUIDE_ENABLED === 'true',
    render: ({ slug }) => <StyleguidePage tree={tree} slug={slug} xRay={xRay} />,
    title: ({ page }) => `${page.title} – Silver & Salt`,
  })
export const BuiltPage = createPage(built)

/** Development reads the files again, so that what was edited shows. */
export async function currentPage() {
  return process.env.NODE_ENV === 'development' ? createPage(await readTree()) : BuiltPage
}
