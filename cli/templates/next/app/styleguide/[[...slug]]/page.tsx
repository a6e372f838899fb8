import 'sitewright/styleguide.css'
import './theme.css'
import { readFileSync } from 'node:fs'
import { createStyleguidePage } from 'sitewright/next'
import { ColorPage, StyleguidePage, type StyleguideTree, TypographyPage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

/** Reads the site's own styles, when the styleguide is opened first. Its other values have pages, too: see the guide. */
const createTree = async (): Promise<StyleguideTree> => {
  const { colors, typography } = fromCssVariables(readFileSync('src/site.css', 'utf8'))
  return {
    title: 'Styleguide',
    pages: [
      { title: 'Colors', content: <ColorPage colors={colors} /> },
      { title: 'Typography', content: <TypographyPage typography={typography} /> },
    ],
  }
}

// Not deferred, so that the color scheme is applied before the first paint.
const script = { src: '/sitewright/styleguide.js' }

const StyleguideRoute = createStyleguidePage({
  tree: createTree,
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
