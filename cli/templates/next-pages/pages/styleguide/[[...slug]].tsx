import 'sitewright/styleguide.css'
import { readFileSync } from 'node:fs'
import { createStyleguideProps } from 'sitewright/next-pages'
import { ColorPage, StyleguidePage, type StyleguideTree, TypographyPage } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'

// This page also runs in browsers, so its server gives it the text of the styles.
const createTree = (text = ':root {}'): StyleguideTree => {
  const { colors, typography } = fromCssVariables(text)
  return {
    title: 'Styleguide',
    pages: [
      { title: 'Colors', content: <ColorPage colors={colors} /> },
      { title: 'Typography', content: <TypographyPage typography={typography} /> },
    ],
  }
}

// Not deferred, so that the color scheme is applied before the first paint.
const script = { src: '/api/sitewright/styleguide.js' }
const theme = { rel: 'stylesheet', href: '/api/sitewright/theme.css' }

const readProps = createStyleguideProps({ tree: createTree(), enabled: process.env.STYLEGUIDE_ENABLED === 'true' })

export const getServerSideProps: typeof readProps = async (context) => {
  const result = await readProps(context)
  if ('props' in result) Object.assign(result.props, { text: readFileSync('src/site.css', 'utf8') })
  return result
}

export default function Styleguide({ slug = [''], query = {}, text = ':root {}' }) {
  return (
    <>
      <link {...theme} />
      <script {...script} />
      <StyleguidePage tree={createTree(text)} slug={slug} query={query} />
    </>
  )
}
