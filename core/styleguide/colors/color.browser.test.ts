import { type Color, converter } from 'culori'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { parseColor } from './color.js'
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
      fc.constantFrom('', 'in oklab, ', 'in srgb, ', 'in hsl longer hue, ', 'oklab, ', 'in, '),
      plain,
      plain,
      fc.constantFrom('', ' 20%', ' 0%', ' 20% 30%', ' 2'),
    )
    .map(([method, a, b, share]) => `color-mix(${method}${a}${share}, ${b})`),
)

it('isColor accepts the same values as Chromium', async () => {
  const values = fc.sample(mixed, { numRuns: 20_000, seed: 1 })
  const browser = await connectToChromium()
  try {
    const page = await browser.newPage()
    const expected = await page.evaluate((values) => values.map((value) => CSS.supports('color', value)), values)
    const differing = values.filter(
      // culori also accepts an angle as a chroma; a browser does not paint such a color.
      (value, index) => isColor(value) !== expected[index] && !/lch\(\S+ +\S+(?:deg|turn)/.test(value),
    )
    expect([...new Set(differing)].slice(0, 30)).toEqual([])
  } finally {
    await browser.close()
  }
})

it('parseColor mixes colors like Chromium', async () => {
  const color = fc.constantFrom(
    'red',
    '#123456',
    'rgb(0 128 0 / 0.5)',
    'oklch(0.7 0.1 200)',
    'hsl(300 40% 60%)',
    'transparent',
    'gray',
    'white',
  )
  const share = fc.constantFrom('', '', ' 20%', ' 0%', ' 75.5%', ' 100%')
  const space = fc.constantFrom(
    'srgb',
    'srgb-linear',
    'display-p3',
    'xyz',
    'xyz-d50',
    'lab',
    'oklab',
    'lch',
    'oklch',
    'hsl',
    'hwb',
  )
  const direction = fc.constantFrom('', '', 'shorter', 'longer', 'increasing', 'decreasing')
  const mixed = fc.tuple(space, direction, color, share, color, share).map(([space, direction, a, p, b, q]) => {
    const hue = /h/.test(space.replace('-', '')) && direction && ['hsl', 'hwb', 'lch', 'oklch'].includes(space)
    return `color-mix(in ${space}${hue ? ` ${direction} hue` : ''}, ${a}${p}, ${b}${q})`
  })
  const values = fc.sample(mixed, { numRuns: 3_000, seed: 1 })
  const browser = await connectToChromium()
  try {
    const page = await browser.newPage()
    const expected = await page.evaluate((values) => {
      const probe = document.body.appendChild(document.createElement('i'))
      return values.map((value) => {
        probe.style.color = ''
        probe.style.color = `color-mix(in srgb, ${value}, ${value})`
        const channels = getComputedStyle(probe).color.match(/-?[\d.]+(?:e-?\d+)?|none/g) ?? []
        return probe.style.color && channels.map((channel) => Number(channel) || 0)
      })
    }, values)
    const differing = values.filter((value, index) => {
      const browserColor = expected[index] || undefined
      const parsed = parseColor(value)
      if (!parsed || !browserColor) return Boolean(parsed) !== Boolean(browserColor)
      const { r = 0, g = 0, b = 0, alpha = 1 } = converter('rgb')(parsed as Color)
      const [red = 0, green = 0, blue = 0, opacity = 1] = browserColor
      if (alpha === 0 && opacity === 0) return false
      return [r - red, g - green, b - blue, alpha - opacity].some((difference) => Math.abs(difference) > 1 / 255)
    })
    expect(differing).toEqual([])
  } finally {
    await browser.close()
  }
})
