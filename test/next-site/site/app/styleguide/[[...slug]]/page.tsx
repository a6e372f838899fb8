import { readFile } from 'node:fs/promises'
import { createStyleguidePage } from 'sitewright/next'
import { ColorPage, StyleguidePage, type StyleguideTree } from 'sitewright/react/styleguide'
import { fromTailwind4 } from 'sitewright/tailwind'

const stylesheet = 'app/theme.css'
const { colors } = await fromTailwind4(await readFile(stylesheet, 'utf8'), { from: stylesheet })

const tree: StyleguideTree = {
  title: 'Styleguide',
  content: <p>How the site looks.</p>,
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

export const instant = false // with cacheComponents only
const StyleguideRoute = createStyleguidePage({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: (view) => <StyleguidePage {...view} />,
})

export default StyleguideRoute
export const generateMetadata = StyleguideRoute.generateMetadata
