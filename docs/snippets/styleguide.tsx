import { renderToReadableStream } from 'react-dom/server'
import { readStyleguidePages } from 'sitewright/mdx'
import {
  BreakpointsPage,
  ColorPage,
  componentPage,
  StyleguidePage,
  type StyleguideTree,
  TypographyPage,
} from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

const tokens =
  ':root { --color-paper: #f6f1e7; --color-ink-900: oklch(25% 0.02 60); --serif: Georgia, serif }'
const { colors, typography } = fromCssVariables(tokens, {
  typography: { families: '--serif' },
})
const Button = ({ quiet = false }) => (
  <button type="button" className={quiet ? 'quiet' : undefined}>
    Read on
  </button>
)
const createTree = async (): Promise<StyleguideTree> => {
  const written = await readStyleguidePages('examples/site/styleguide')
  return {
    title: 'Styleguide',
    content: written.content,
    pages: [
      {
        title: 'Colors',
        content: <ColorPage colors={colors} />,
      },
      {
        title: 'Typography',
        content: <TypographyPage typography={typography} />,
      },
      {
        title: 'Breakpoints',
        content: <BreakpointsPage breakpoints={[{ name: 'wide', value: '64rem' }]} />,
      },
      {
        title: 'Components',
        pages: [
          componentPage({
            title: 'Button',
            variants: [
              {
                title: 'Loud',
                content: <Button />,
                source: '<Button />',
                widths: [390, 1280],
              },
              { title: 'Quiet', content: <Button quiet />, source: '<Button quiet />' },
            ],
          }),
        ],
      },
      ...(written.pages ?? []), // a folder of Markdown and MDX
    ],
  }
}

export const styleguide = createStyleguideRoute({
  tree: createTree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async (view) => {
    const page = (
      <html lang="en">
        <link rel="stylesheet" href="/sitewright/styleguide.css" />
        <script src="/sitewright/styleguide.js" />
        <StyleguidePage {...view} />
      </html>
    )
    return new Response(await renderToReadableStream(page), {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    })
  },
})
