import 'sitewright/styleguide.css'
import { createStyleguidePage } from 'sitewright/next'
import { ColorPage, StyleguidePage, type StyleguideTree } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

const { colors } = fromCssVariables(
  ':root { --color-paper: #f6f1e6; --color-ink: #241a13 }',
) // your stylesheet

const tree: StyleguideTree = {
  title: 'Styleguide',
  content: <p>How the site looks.</p>,
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

// With cacheComponents, as create-next-app sets it, and Next.js 16.3 or later; without it, leave this out:
// export const instant = false

// Not deferred, so that the color scheme is applied before the first paint.
const script = { src: '/sitewright/styleguide.js' }

const StyleguideRoute = createStyleguidePage({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: (view) => (
    <>
      <script {...script} />
      <StyleguidePage {...view} />
    </>
  ),
})

export default StyleguideRoute
export const generateMetadata = StyleguideRoute.generateMetadata
