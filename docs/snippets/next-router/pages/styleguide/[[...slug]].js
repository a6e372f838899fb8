import 'sitewright/styleguide.css'
import { createStyleguideProps } from 'sitewright/next-pages'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

const { colors } = fromCssVariables(':root { --color-ink: #241a13 }') // your stylesheet
const tree = {
  title: 'Styleguide',
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

export const getServerSideProps = createStyleguideProps({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
})

/** @param {{ slug: string[], query: Record<string, string> }} props */
export default function Styleguide({ slug, query }) {
  return <StyleguidePage tree={tree} slug={slug} query={query} />
}
