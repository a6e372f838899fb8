import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { isColor } from './style-color.js'

const number = fc.constantFrom(
  '0',
  '1',
  '255',
  '50%',
  '.5',
  '-1',
  '120deg',
  '0.5turn',
  'none',
  '1e2',
  '10px',
  'red',
  '1.',
  '',
)
const separator = fc.constantFrom(' ', ', ', ',', ' / ', '/', '  ')
const name = fc.constantFrom(
  'rgb',
  'rgba',
  'RGB',
  'hsl',
  'hsla',
  'hwb',
  'lab',
  'lch',
  'oklab',
  'oklch',
  'color',
  'blur',
  'calc',
  'x',
)
const space = fc.constantFrom('', '', 'srgb ', 'display-p3 ', 'xyz ', 'foo ')
const plain = fc.oneof(
  fc.constantFrom('red', '#fff', '#12', '#12345678', 'RebeccaPurple', 'banana', 'Canvas', 'fff', ''),
  fc
    .tuple(
      name,
      space,
      number,
      separator,
      number,
      separator,
      number,
      fc.option(fc.tuple(separator, number), { nil: [] }),
    )
    .map(([name, ...parts]) => `${name}(${parts.flat().join('')})`),
)
const mixed = fc.oneof(
  { weight: 4, arbitrary: plain },
  fc.tuple(plain, plain).map(([a, b]) => `light-dark(${a}, ${b})`),
  fc
    .tuple(
      fc.constantFrom('in oklab', 'in srgb', 'in hsl longer hue', 'oklab', 'in'),
      plain,
      plain,
      fc.constantFrom('', ' 20%', ' 20% 30%', ' 2'),
    )
    .map(([method, a, b, share]) => `color-mix(${method}, ${a}${share}, ${b})`),
)

it('takes for colors what Chromium takes for colors', async () => {
  const values = fc.sample(mixed, { numRuns: 20_000, seed: 1 })
  const browser = await connectToChromium()
  try {
    const page = await browser.newPage()
    const expected = await page.evaluate((values) => values.map((value) => CSS.supports('color', value)), values)
    const differing = values.filter(
      // culori takes an angle for a chroma, too: such a color is painted as nothing.
      (value, index) => isColor(value) !== expected[index] && !/lch\(\S+ +\S+(?:deg|turn)/.test(value),
    )
    expect([...new Set(differing)].slice(0, 30)).toEqual([])
  } finally {
    await browser.close()
  }
})
