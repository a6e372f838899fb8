import { wcagContrast } from 'culori'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compositeOver, measureContrast } from './wcag.js'

const channel = fc.double({ min: 0, max: 1, noNaN: true })
const color = fc.record({ r: channel, g: channel, b: channel })

it('measureContrast agrees with culori, and never rounds up', () => {
  fc.assert(
    fc.property(color, color, (front, back) => {
      const { ratio } = measureContrast(front, back)
      const exact = wcagContrast({ mode: 'rgb', ...front }, { mode: 'rgb', ...back })
      expect(ratio).toBeLessThanOrEqual(exact + 1e-9)
      expect(exact - ratio).toBeLessThan(0.0101)
    }),
  )
})

it.each([
  [
    { r: 0, g: 0, b: 0, alpha: 0.5 },
    { r: 1, g: 1, b: 1 },
    { r: 0.5, g: 0.5, b: 0.5 },
  ],
  [
    { r: 1.2, g: -0.1, b: 0.5 },
    { r: 1, g: 1, b: 1 },
    { r: 1, g: 0, b: 0.5 },
  ],
  [
    { r: 1, g: 1, b: 1, alpha: 0 },
    { r: 0, g: 2, b: 0 },
    { r: 0, g: 1, b: 0 },
  ],
])('the color %j over %j is %j', (front, back, composite) => expect(compositeOver(front, back)).toEqual(composite))
