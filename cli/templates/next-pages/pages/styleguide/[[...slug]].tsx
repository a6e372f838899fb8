import 'sitewright/styleguide.css'
import { createStyleguideProps } from 'sitewright/next-pages'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

// Put your own colors here: CSS with custom properties, or see fromDesignTokens.
const colors = fromCssVariables(
  ':root { --color-ink: #1d2b36; --color-paper: #f6f1e7; --color-accent: #b3412e }',
).colors

const tree = {
  title: 'Styleguide',
  content: <p>How this site looks.</p>,
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

// Not deferred, so that the color scheme is applied before the first paint.
const script = { src: '/api/sitewright/styleguide.js' }

export const getServerSideProps = createStyleguideProps({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
})

export default function Styleguide({ slug = [''] }) {
  return (
    <>
      <script {...script} />
      <StyleguidePage tree={tree} slug={slug} />
    </>
  )
}
