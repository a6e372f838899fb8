import { readFileSync } from 'node:fs'
import { renderToReadableStream } from 'react-dom/server'
import { readStyleguidePages } from 'sitewright/mdx'
import {
  ColorPage,
  componentPage,
  StyleguidePage,
  type StyleguideTree,
  TypographyPage,
} from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

const Button = ({ quiet = false }) => (
  <button type="button" className={quiet ? 'quiet' : undefined}>
    Read on
  </button>
)

const button = componentPage({
  title: 'Button',
  description: 'For what a reader can do on a page.',
  variants: [
    { title: 'Loud', content: <Button />, source: '<Button />', widths: [390, 1280] },
    { title: 'Quiet', content: <Button quiet />, source: '<Button quiet />' },
  ],
})

// Replace the two paths: your stylesheet, and your folder of Markdown.
const createTree = async (): Promise<StyleguideTree> => {
  const css = readFileSync('examples/site/styles/tokens.css', 'utf8')
  const { colors, typography } = fromCssVariables(css)
  const written = await readStyleguidePages('examples/site/styleguide')
  return {
    title: 'Styleguide',
    content: written.content,
    pages: [
      { title: 'Colors', content: <ColorPage colors={colors} /> },
      { title: 'Typography', content: <TypographyPage typography={typography} /> },
      { title: 'Components', pages: [button] },
      ...(written.pages ?? []),
    ],
  }
}

export const styleguide = createStyleguideRoute({
  tree: createTree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async (view) => {
    const page = (
      <html lang="en">
        <head>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{view.match?.page.title ?? 'Page not found'}</title>
          <link rel="stylesheet" href="/sitewright/styleguide.css" />
          <script src="/sitewright/styleguide.js" />
        </head>
        <body>
          <StyleguidePage {...view} />
        </body>
      </html>
    )
    return new Response(await renderToReadableStream(page), {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
  },
})
