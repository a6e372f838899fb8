import { type Color, converter } from 'culori'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { describeColor, parseColor } from './color.js'
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
  'calc(1 * 2)',
  'calc(50% + 10%)',
  'h',
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
const space = fc.constantFrom('', '', 'srgb ', 'display-p3 ', 'xyz ', 'foo ', 'from red ', 'from Canvas ')
const plain = fc.oneof(
  fc.constantFrom('red', '#fff', '#12', '#12345678', 'RebeccaPurple', 'banana', 'Canvas', 'currentColor', 'fff', ''),
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
    const differing = values.filter((value, index) => isColor(value) !== expected[index])
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

// Values that a browser computes: clamping, `calc()`, `none`, relative colors and mixes.
const shown = [
  ...['rgb(300 0 0)', 'rgb(-20 0 99)', 'rgb(calc(1*255) 0 0)', 'rgb(calc(infinity) 0 0)', 'rgb(none 10 10)'],
  ...['rgb(1.5 2.5 3.5)', 'rgb(50% 20 30)', 'rgb(150%, 20%, 30%)', 'rgb(calc(50% + 10%) 0 0)', 'rgb(min(300, 20) 0 0)'],
  ...['hsl(0 150% 40%)', 'hsl(0, 150%, 40%)', 'hsl(0 -50% 40%)', 'hsl(90 50% 140%)', 'hsl(221, 14%, calc(96% + -5%))'],
  ...['hsl(calc(1turn / 3) 50% 50%)', 'hsl(sin(30deg) 50% 50%)', 'hsl(none 50% 50%)', 'hsl(200grad none 50%)'],
  ...['hwb(0 80% 80%)', 'hwb(300 -1 1)', 'hwb(90deg 150% 0%)', 'hwb(none 10 10)'],
  ...[
    'rgb(from red r 50 b)',
    'rgb(from red calc(r / 2) g b)',
    'hsl(from #369 calc(h + 30) s l)',
    'alpha(from #369 / 1)',
  ],
  ...[
    'oklch(from #369 calc(l + 0.1) c h)',
    'color(from #369 display-p3 r g b)',
    'lab(min(50, 60) 0 0)',
    'lab(150 0 0)',
  ],
  ...[
    'oklch(none none none)',
    'lch(50 -10 20)',
    'oklch(0.5 -0.1 30)',
    'color(srgb none 0.5 0)',
    'color(xyz 0.2 0.2 0.2)',
  ],
  ...['color(rec2020 0.4 0.3 0.3)', 'color(a98-rgb 0.4 0.3 0.3)', 'color(prophoto-rgb 0.4 0.3 0.3)'],
  ...['color-mix(in srgb, red, blue)', 'color-mix(red, blue)', 'color-mix(in oklab, red calc(10% + 20%), blue)'],
  ...['color-mix(in srgb, rgb(from red 0 r 0), white)', 'color-mix(in hsl, hsl(0 none 40%), blue)'],
  ...['color-mix(in display-p3, red 30%, blue)', 'color-mix(in oklch, gray, #a33)', 'contrast-color(red)'],
]

it('describeColor returns the hex that Chromium shows', async () => {
  const browser = await connectToChromium()
  try {
    const page = await browser.newPage()
    const expected = await page.evaluate((values) => {
      const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      const probe = document.body.appendChild(document.createElement('i'))
      return values.map((value) => {
        probe.style.color = value
        context.fillStyle = getComputedStyle(probe).color
        context.fillRect(0, 0, 1, 1)
        const bytes = [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
        return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
      })
    }, shown)
    const hexes = shown.map((value) => describeColor(value)?.hex)
    expect(Object.fromEntries(shown.map((value, index) => [value, hexes[index]]))).toEqual(
      Object.fromEntries(shown.map((value, index) => [value, expected[index]])),
    )
  } finally {
    await browser.close()
  }
})
