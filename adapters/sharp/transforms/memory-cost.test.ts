import { expect, test } from 'vitest'
import { parseProcessingOptions } from '../../../core/image/imgproxy.js'
import type { ImageHeader } from './inspect.js'
import { isHeavy, outputPixels } from './memory-cost.js'

const still: ImageHeader = {
  type: 'jpeg',
  width: 6000,
  height: 4000,
  pages: 1,
  hasAlpha: false,
  space: 'srgb',
  isProgressive: false,
  scans: 1,
}

test.each([
  ['', 24_000_000],
  ['w:600', 240_000],
  ['h:400', 240_000],
  ['rs:fit:600:100', 15_000],
  ['rs:fill:600:600', 360_000],
  ['rs:fill:9000:100', 600_000],
  ['w:9000', 24_000_000],
])('6000 x 4000 by %s are %i pixels', (options, pixels) => {
  expect(outputPixels(still, parseProcessingOptions(options ? [options] : []))).toBe(pixels)
  expect(outputPixels({ ...still, pages: 3 }, parseProcessingOptions(options ? [options] : []))).toBe(pixels * 3)
})

test('an image is heavy when it is large, or its original is and cannot be scaled down while it is decoded', () => {
  expect(isHeavy(still, 999_999)).toBe(false)
  expect(isHeavy(still, 1_000_001)).toBe(true)
  expect(isHeavy({ ...still, type: 'png' }, 100)).toBe(true)
  expect(isHeavy({ ...still, type: 'png', width: 2000 }, 100)).toBe(false)
})

test('a large progressive JPEG is heavy, however small the rendered image', () => {
  const header: ImageHeader = {
    type: 'jpeg',
    width: 8000,
    height: 6200,
    pages: 1,
    hasAlpha: false,
    space: 'srgb',
    isProgressive: true,
    scans: 10,
  }
  expect(isHeavy(header, 1000)).toBe(true)
  expect(isHeavy({ ...header, isProgressive: false }, 1000)).toBe(false)
})

test('a progressive JPEG of many scans is heavy, however few its pixels and bytes', () => {
  const header: ImageHeader = { ...still, width: 2000, height: 2000, isProgressive: true, scans: 10 }
  expect(isHeavy(header, 1000)).toBe(false)
  expect(isHeavy({ ...header, scans: 2647 }, 1000)).toBe(true)
})
