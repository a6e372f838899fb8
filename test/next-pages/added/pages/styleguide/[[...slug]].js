import 'sitewright/styleguide.css'
import { createStyleguideProps } from 'sitewright/next-pages'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

const { colors } = fromCssVariables(':root { --color-brand: #b3412e }')
const tree = { title: 'Styleguide', pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }] }

export const getServerSideProps = createStyleguideProps({ tree, enabled: process.env.STYLEGUIDE_ENABLED === 'true' })

export default function Styleguide({ slug }) {
  return <StyleguidePage tree={tree} slug={slug} prefix="/shop/styleguide" />
}
Styleguide.isBare = true
