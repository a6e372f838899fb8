import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { GradientsPage, RadiiPage, ShadowsPage } from '../index.js'

const value = (text: string) => [{ name: 'one', value: text }]

it.each([
  [
    'a shadow',
    <ShadowsPage key="s" shadows={value('0 1px 3px 2px #0003')} />,
    '<rect x="58" y="39" width="124" height="84" fill="#0003" filter="blur(1.5px)">',
  ],
  [
    'an inner shadow',
    <ShadowsPage key="s" shadows={value('inset 0 1px 3px #0003')} />,
    'filter="blur(1.5px)" d="M0 0H240V160H0ZM60 41h120v80h-120Z"',
  ],
  ['a radius', <RadiiPage key="r" radii={value('var(--round)')} />, 'clip-path="inset(0 round var(--round))"'],
  [
    'a gradient',
    <GradientsPage key="g" gradients={value('linear-gradient(90deg, red, blue)')} />,
    '<linearGradient id="sw-gradient-0-0" gradientUnits="userSpaceOnUse" x1="0" y1="80" x2="240" y2="80"><stop offset="0" stop-color="red">',
  ],
  [
    'a conic gradient, for the script',
    <GradientsPage key="g" gradients={value('conic-gradient(red, blue)')} />,
    'data-sw-background="conic-gradient(red, blue)"',
  ],
  ['no shadows', <ShadowsPage key="s" shadows={[]} />, 'No shadows found'],
  ['no radii', <RadiiPage key="r" radii={[]} />, 'No radii found'],
  ['no gradients', <GradientsPage key="g" gradients={[]} />, 'No gradients found'],
])('draws %s without a style', (_, page, part) => {
  const html = renderToStaticMarkup(page)
  expect(html).toContain(part)
  expect(html).not.toMatch(/ style=|<style/)
})
