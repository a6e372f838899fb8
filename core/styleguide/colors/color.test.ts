import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeColor, describeShift, measureOn, nearestColorName } from './color.js'

const getContrast = measureOn

describe('contrast', () => {
  it.each<[string, string, number, string]>([
    ['#000', '#fff', 21, 'AAA'],
    ['#fff', '#fff', 1, 'none'],
    ['#777', '#fff', 4.47, 'AA large'], // 4.478: truncated, not rounded
    ['#767676', '#fff', 4.54, 'AA'],
    ['#595959', '#fff', 7, 'AAA'],
    ['#5a5a5a', '#fff', 6.89, 'AA'],
    ['#949494', '#fff', 3.03, 'AA large'],
    ['#959595', '#fff', 2.99, 'none'],
    ['rgb(0 0 0 / 50%)', '#fff', 3.97, 'AA large'],
    ['rgb(0 0 0 / 0)', 'blue', 1, 'none'],
    ['OKLCH(63.7% 0.237 25.331)', 'white', 3.81, 'AA large'],
  ])('the contrast of %s on %s is %d, %s', (color, background, ratio, level) => {
    expect(getContrast(color, background)).toEqual({ ratio, level })
  })

  it.each([
    ['var(--x)', '#fff'],
    ['#fff', 'nothing'],
    ['rgb(0 0 0 / x)', '#fff'],
  ])('the contrast of %s on %s is undefined', (color, background) =>
    expect(getContrast(color, background)).toBeUndefined(),
  )

  it.each([
    [undefined, 3.97],
    ['#fff', 3.97],
    ['#000', 21],
    ['var(--x)', 3.97],
  ])('a translucent ground is composited over the color beneath, %s', (beneath, ratio) => {
    expect(measureOn('#fff', 'rgb(0 0 0 / 50%)', beneath)?.ratio).toBe(ratio)
  })

  it('a contrast is never rounded up, and its level never exceeds the ratio', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, (r, g, b) => {
        const { ratio, level } = getContrast(`rgb(${r} ${g} ${b})`, '#fff') ?? { ratio: Number.NaN, level: '' }
        const exact = 1.05 / (luminance(r, g, b) + 0.05)
        expect(ratio).toBeLessThanOrEqual(exact + 1e-9)
        expect(exact - ratio).toBeLessThan(0.0101)
        expect(level).toBe(exact >= 7 ? 'AAA' : exact >= 4.5 ? 'AA' : exact >= 3 ? 'AA large' : 'none')
      }),
    )
  })
})

describe('hex', () => {
  it.each([
    ['#F00', '#ff0000'],
    ['rebeccapurple', '#663399'],
    ['rgb(255 0 0 / 50%)', '#ff000080'],
    ['oklch(63.7% 0.237 25.331)', '#fb2c36'],
    ['oklch(1 0 0)', '#ffffff'],
    ['oklch(none none none)', '#000000'],
    ['oklch(0.7 0.3 30)', '≈ #ff5843'],
    ['color(display-p3 1 0 0)', '≈ #ff0b0c'],
    ['color(display-p3 0.5 0.5 0.5)', '#808080'],
    ['color-mix(in srgb, red, blue)', '#800080'],
    ['COLOR-MIX(in oklab, #f00 50%, transparent)', '#ff000080'],
    ['color-mix(in srgb, 20% red, color-mix(in srgb, blue, black) 30%)', '#66004d80'],
    ['color-mix(in hsl longer hue, red, lime)', '#0000ff'],
    ['color-mix(in srgb, red 0%, blue 0%)', '#80008000'],
    ['color-mix(red, red)', '#ff0000'],
  ])('the hex of %s is %s', (color, expected) => {
    const { hex, isInSrgb } = describeColor(color) ?? {}
    expect(isInSrgb ? hex : `≈ ${hex}`).toBe(expected)
  })

  it.each([
    '',
    'var(--x)',
    'color-mix(in oklab, red, var(--x))',
    'color-mix(red)',
    'color-mix(in oklab, red)',
    '__proto__',
    'fff',
    '123',
    'blur(12px)',
    'calc(1px)',
    'rgb(10px 20px 30px)',
    'color(display-p3-linear 1 0 0)',
    '('.repeat(1_000),
  ])('the hex of %j is undefined', (value) => {
    expect(describeColor(value)).toBeUndefined()
  })

  it('describeColor never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => void describeColor(value)))
  })
})

it.each([
  ['#e7000b', 'oklch(58.3% 0.239 28.5)'],
  ['#fff', 'oklch(100% 0 0)'],
  ['rgb(255 0 0 / 50%)', 'oklch(62.8% 0.258 29.2 / 50%)'],
  ['oklch(none none none)', 'oklch(0% 0 0)'],
])('the oklch of %s is %s', (color, oklch) => expect(describeColor(color)?.oklch).toBe(oklch))

it.each([
  ['#7d2c1b', 'rust'],
  ['#000080', 'navy'],
  ['#16120e', 'black'],
  ['#201a14', 'black'],
  ['oklch(85% 0.2 130)', 'lime'],
  ['var(--x)', undefined],
])('the everyday name of %s is %s', (color, name) => expect(nearestColorName(color)).toBe(name))

function luminance(...channels: number[]): number {
  const [r = 0, g = 0, b = 0] = channels.map((byte) => {
    const channel = byte / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

describe('describeShift', () => {
  it.each([
    ['#7a6a5b', '#6b5b4c', 'darker'],
    ['#a89784', '#b8a793', 'lighter'],
    ['#777777', '#787878', 'hardly different'],
    ['oklch(0.6 0.1 30)', 'oklch(0.6 0.2 30)', 'more vivid'],
    ['oklch(0.6 0.2 30)', 'oklch(0.5 0.1 30)', 'darker and more muted'],
    ['oklch(0.6 0.2 355)', 'oklch(0.6 0.2 5)', 'in another hue'],
    ['oklch(0.6 0.01 30)', 'oklch(0.6 0.01 200)', 'hardly different'],
    ['rgb(0 0 0 / 50%)', 'rgb(0 0 0 / 40%)', 'more translucent'],
    ['var(--ink)', '#000', 'changed'],
  ])('%s to %s is %s', (before, now, words) => {
    expect(describeShift(before, now)).toBe(words)
  })
})
