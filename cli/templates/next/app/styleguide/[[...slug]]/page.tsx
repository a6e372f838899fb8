import 'sitewright/styleguide.css'
import { createStyleguidePage, styleguideMetadata } from 'sitewright/next'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

// Put your own here: a text with custom properties, or see fromTailwind4 and fromDesignTokens.
const colors = fromCssVariables(':root { --color-ink: #1d2b36; --color-paper: #f6f1e7; --color-accent: #b3412e }')

const tree = {
  title: 'Styleguide',
  content: <p>How this site looks.</p>,
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

export const metadata = styleguideMetadata
export default createStyleguidePage({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: ({ slug }) => <StyleguidePage tree={tree} slug={slug} />,
})
