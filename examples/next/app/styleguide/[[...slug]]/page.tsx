import { createStyleguidePage } from 'sitewright/next'
import { StyleguidePage } from 'sitewright/react/styleguide'
import { Picture } from '../../../site/picture'
import { readTree } from '../../../site/styleguide'

const isDevelopment = process.env.NODE_ENV === 'development'
const built = await readTree(Picture)

const createPage = (tree: typeof built) =>
  createStyleguidePage({
    tree,
    enabled: process.env.STYLEGUIDE_ENABLED === 'true',
    render: ({ slug, query }) => (
      <StyleguidePage
        tree={tree}
        slug={slug}
        query={query}
        xRay={isDevelopment || process.env.STYLEGUIDE_XRAY === 'true'}
      />
    ),
    title: ({ page }) => `${page.title} – Silver & Salt`,
  })
const BuiltPage = createPage(built)

export const generateMetadata = BuiltPage.generateMetadata

export default async function Page(props: Parameters<typeof BuiltPage>[0]) {
  // Development reads the files again, so that what was edited shows.
  return isDevelopment ? createPage(await readTree(Picture))(props) : BuiltPage(props)
}
