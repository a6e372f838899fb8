import { renderToReadableStream } from 'react-dom/server'
import { ColorPage, StyleguidePage, type StyleguideTree } from 'sitewright/react/styleguide'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

const colors = fromCssVariables(':root { --color-paper: #f6f1e7; --color-ink-900: oklch(25% 0.02 60) }')

const tree: StyleguideTree = {
  title: 'Styleguide',
  content: <p>How this site looks, and why.</p>,
  pages: [
    { title: 'Colors', content: <ColorPage colors={colors} layout="grouped" /> },
    { title: 'Components', pages: [{ title: 'Buttons', content: () => <button type="button">Read on</button> }] },
  ],
}

export const styleguide = createStyleguideRoute({
  tree,
  enabled: process.env.STYLEGUIDE_ENABLED === 'true',
  render: async ({ slug, prefix }) => {
    const page = (
      <html lang="en">
        <link rel="stylesheet" href="/styleguide.css" />
        <StyleguidePage tree={tree} slug={slug} prefix={prefix} />
      </html>
    )
    return new Response(await renderToReadableStream(page), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
  },
})
