import 'sitewright/styleguide.css'
import { createStyleguidePage } from 'sitewright/next'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

// Put your own colors here: CSS with custom properties, or see fromTailwind4 and fromDesignTokens.
const colors = fromCssVariables(
  ':root { --color-ink: #1d2b36; --color-paper: #f6f1e7; --color-accent: #b3412e }',
).colors

const tree = {
  title: 'Styleguide',
  content: <p>How this site looks.</p>,
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

// Not deferred, so that the color scheme is applied before the first paint.
const script = { src: '/sitewright/styleguide.js' }

const StyleguideRoute = createStyleguidePage({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: ({ slug }) => (
    <>
      <script {...script} />
      <StyleguidePage tree={tree} slug={slug} />
    </>
  ),
})

export default StyleguideRoute
export const generateMetadata = StyleguideRoute.generateMetadata
