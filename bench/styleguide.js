// Finding a page of the styleguide, and rendering a page of colors.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ColorPage } from 'sitewright/react/styleguide'
import { fromTailwind3 } from 'sitewright/styleguide'
import { findPage } from '../dist/core/styleguide/internal.js'
import { compare } from './compare.js'

const tree = (branches, depth, title = 'Page') => ({
  title,
  pages: depth === 0 ? [] : Array.from({ length: branches }, (_, index) => tree(branches, depth - 1, `Page ${index}`)),
})
const slugs = (branches) =>
  Array.from({ length: 997 }, (_, i) => [
    `page-${i % branches}`,
    `page-${(i * 7) % branches}`,
    `page-${(i * 13) % branches}`,
  ])

export async function benchStyleguide() {
  const small = tree(4, 3)
  const large = tree(46, 3)
  const paths = slugs(4)
  let next = 0
  await compare('Finding a page of the styleguide at depth 3', {
    'among 85 pages': () => findPage(small, paths[next++ % paths.length]),
    'among 99,499 pages': () => findPage(large, paths[next++ % paths.length]),
  })

  const colors = fromTailwind3(
    Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`c${n}`, `oklch(${(n % 100) / 100} 0.1 ${n})`])),
  ).colors
  await compare('Rendering a page of 300 colors', {
    'as a grid': () => renderToString(createElement(ColorPage, { colors })),
    grouped: () => renderToString(createElement(ColorPage, { colors, layout: 'grouped' })),
  })
}
