import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { GradientsPage, RadiiPage, ShadowsPage } from '../index.js'
import { valuesOf as summaryOf } from '../shell/page-picture.js'

const valuesOf = (text: string) => [{ name: 'first', value: text }]

it.each([
  [
    'a shadow',
    <ShadowsPage key="s" shadows={valuesOf('0 1px 3px 2px #0003')} />,
    '<g filter="blur(1.5px)"><rect width="100%" height="100%" fill="#0003" clip-path="polygon(evenodd, calc(20% + -2px) calc(14% + -1px), calc(80% + 2px) calc(14% + -1px), calc(80% + 2px) calc(62% + 3px), calc(20% + -2px) calc(62% + 3px), calc(20% + -2px) calc(14% + -1px))">',
  ],
  [
    'an inner shadow',
    <ShadowsPage key="s" shadows={valuesOf('inset 0 1px 3px #0003')} />,
    'clip-path="polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, calc(20% + 0px) calc(14% + 1px),',
  ],
  ['a radius', <RadiiPage key="r" radii={valuesOf('var(--round)')} />, 'clip-path="inset(0 round var(--round))"'],
  [
    'a gradient, which the script paints',
    <GradientsPage key="g" gradients={valuesOf('conic-gradient(red, blue)')} />,
    'data-sw-background="conic-gradient(red, blue)"',
  ],
  ['a message for no shadows', <ShadowsPage key="s" shadows={[]} />, 'No shadows found'],
  ['a message for no radii', <RadiiPage key="r" radii={[]} />, 'No radii found'],
  ['a message for no gradients', <GradientsPage key="g" gradients={[]} />, 'No gradients found'],
])('the page shows %s without a style', (_, page, part) => {
  const html = renderToStaticMarkup(page)
  expect(html).toContain(part)
  expect(html).not.toMatch(/ style=|<style/)
})

it('a shadow with several names is shown once, in a sentence, and inner shadows are apart from the others; only several layers are folded', () => {
  const low = '0 1px 2px #0002, 0 2px 6px #0002'
  const html = renderToStaticMarkup(
    <ShadowsPage
      shadows={[
        { name: 'sm', value: low, source: { property: '--shadow-sm' } },
        { name: 'shadow', value: low },
        { name: 'sm', value: 'inset 0 1px 2px #0003' },
      ]}
    />,
  )
  expect([...html.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, name]) => name)).toEqual(['sm = shadow', 'sm'])
  expect(html).toContain('Down\u00a01–\u20602, blur\u00a02–\u20606\u00a0px')
  expect(html).toContain('<code>var(--shadow-sm)</code>')
  expect([...html.matchAll(/<h2 id="(.*?)"/g)].map(([, id]) => id)).toEqual(['outer', 'inner'])
  expect(html.match(/<summary/g)).toHaveLength(1)
})

it('all sheets of the page have the size of those in its longest row, and the cover counts the same shadows', () => {
  const shadows = Array.from({ length: 7 }, (_, index) => ({ name: `${index}`, value: `0 ${index}px 9px #0003` }))
  const inner = [1, 2, 3].map((y) => ({ name: `inner-${y}`, value: `inset 0 ${y}px 9px #0003` }))
  const page = <ShadowsPage shadows={[...shadows, { name: 'same', value: '0 1px 9px #0003' }, ...inner]} />
  const html = renderToStaticMarkup(page)
  expect(html.match(/<li class="sw-k4 sw-n2"/g)).toHaveLength(10)
  expect(html).toContain('10 shadows in light and dark.')
  expect(summaryOf(page).summary).toBe('10 shadows')
})
