import 'sitewright/styleguide.css'
import { readFile } from 'node:fs/promises'
import { createStyleguidePage } from 'sitewright/next'
import { ColorPage, StyleguidePage, componentPage } from 'sitewright/react/styleguide'
import { fromTailwind4 } from 'sitewright/tailwind'

const file = 'app/theme.css'
const { colors } = await fromTailwind4(await readFile(file, 'utf8'), { from: file })

const tree = {
  title: 'Styleguide',
  pages: [
    { title: 'Colors', content: <ColorPage colors={colors} /> },
    componentPage({ title: 'Button', variants: [{ title: 'Plain', content: <button type="button">Buy</button> }] }),
  ],
}

const StyleguideRoute = createStyleguidePage({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: (view) => <StyleguidePage {...view} />,
})

export default StyleguideRoute
export const generateMetadata = StyleguideRoute.generateMetadata
