import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { fromCssVariables } from '../../../core/styleguide/index.js'
import { describeStyleguide } from '../../../core/styleguide/internal.js'
import { ColorPage, componentPage, SpacingPage, StyleguidePage } from '../index.js'

const treeOf = (css: string, variants: string[]) => {
  const { colors, spacing } = fromCssVariables(css)
  return {
    title: 'Windfall',
    pages: [
      { title: 'Colors', content: <ColorPage colors={colors} /> },
      { title: 'Spacing', content: <SpacingPage spacing={spacing} /> },
      componentPage({ title: 'Button', variants: variants.map((title) => ({ title, content: title })) }),
    ],
  }
}
const old = treeOf(
  ':root { --color-paper: #fff; --color-ink: light-dark(#7a6a5b, #eee); --color-plate: #e9dfcc; --space-6: 32px }',
  ['Solid'],
)
const now = treeOf(
  ':root { --color-paper: #fff; --color-ink: light-dark(#6b5b4c, #eee); --color-line: #d8cbb5; --space-6: 40px }',
  ['Solid', 'Quiet'],
)
const since = { date: '2026-11-12', index: JSON.parse(JSON.stringify(describeStyleguide(old, '/styleguide'))) }
const render = (slug: string, tree = now) =>
  renderToStaticMarkup(<StyleguidePage tree={tree} slug={slug} since={since} />)

it('the cover says how much changed since the state, and links to the page', () => {
  expect(render('')).toContain('<a href="/styleguide/changes">3 colors, 1 step and 1 component since 12 November</a>')
  expect(render('', old)).not.toContain('since 12 November')
  expect(renderToStaticMarkup(<StyleguidePage tree={now} slug="" />)).not.toContain('changes')
})

it('the page shows the values before and after, what was added and what is gone', () => {
  const html = render('changes')
  const items = Array.from(html.matchAll(/<li class="sw-changed">(.*?)<\/li>/g), ([, item = '']) =>
    item
      .replace(/<foreignObject.*?<\/foreignObject>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  expect(items).toMatchInlineSnapshot(`
    [
      "#7a6a5b light #6b5b4c light ink Darker in light ΔE 5.6 On paper: 5.1 → 6.5",
      "Was not there #d8cbb5 light line added",
      "#e9dfcc light Gone plate gone Nearest: line ΔE 4.8",
      "32 px 40 px space-6 Larger by 8 px",
      "Solid Solid; Quiet Button",
    ]
  `)
  expect(html).toContain('fill="#6b5b4c"')
  expect(html).not.toContain(' style=')
  expect(render('changes', old)).toContain('Nothing has changed.')
})
