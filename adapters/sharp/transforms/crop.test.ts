import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cornerOf, cropOf } from '../../../core/crop.js'
import { knownCrops } from '../testing/crops.js'

describe('a crop is that of imgproxy', () => {
  it.each(knownCrops)('$original, $box, $focus', ({ original, box, focus, scaled, crop }) => {
    const cropped = cropOf(original, { ...box, gravity: focus })
    expect(cropped.scaled).toEqual(scaled)
    expect({ width: cropped.width, height: cropped.height, ...cornerOf(cropped, focus) }).toEqual(crop)
  })
})

const side = fc.integer({ min: 1, max: 8000 })
const fraction = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)

it('a crop lies within the image, which is not enlarged, and keeps the focus in view', () => {
  fc.assert(
    fc.property(side, side, side, side, fraction, fraction, (width, height, boxWidth, boxHeight, x, y) => {
      const crop = cropOf({ width, height }, { width: boxWidth, height: boxHeight, gravity: 'attention' })
      const { left, top } = cornerOf(crop, { x, y })
      expect(crop.scaled.width).toBeLessThanOrEqual(width)
      expect(crop.scaled.height).toBeLessThanOrEqual(height)
      expect(Math.min(crop.width, crop.height, left + 1, top + 1)).toBeGreaterThanOrEqual(1)
      expect(left + crop.width).toBeLessThanOrEqual(crop.scaled.width)
      expect(top + crop.height).toBeLessThanOrEqual(crop.scaled.height)
      expect(Math.abs(x * crop.scaled.width - left - crop.width / 2)).toBeLessThanOrEqual(
        Math.max(1, crop.width / 2 + 0.5),
      )
    }),
  )
})

it('a crop has the ratio of the box within a pixel, however small the image is', () => {
  fc.assert(
    fc.property(side, side, side, side, (width, height, boxWidth, boxHeight) => {
      const crop = cropOf({ width, height }, { width: boxWidth, height: boxHeight, gravity: 'attention' })
      const ratio = boxWidth / boxHeight
      const deviation = Math.min(Math.abs(crop.width - crop.height * ratio), Math.abs(crop.height - crop.width / ratio))
      expect(deviation).toBeLessThanOrEqual(1)
    }),
  )
})
