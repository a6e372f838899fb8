import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ColorPage } from '../index.js'

it('the page shows 5,000 colors, even with the same name', () => {
  const same = Array.from({ length: 5_000 }, () => ({ name: 'same', value: '#fff' }))
  const html = renderToStaticMarkup(<ColorPage colors={same} />)
  expect(new Set(Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id)).size).toBe(5_001)
})
