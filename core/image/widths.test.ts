import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { defaultWidths } from './url.js'

it('the default widths are in ascending order, without duplicates', () => {
  expect(defaultWidths).toEqual([...new Set(defaultWidths)].sort((a, b) => a - b))
})

it('the default widths include every default width of the installed Next.js', () => {
  const { imageConfigDefault } = createRequire(import.meta.url)('next/dist/shared/lib/image-config.js')
  const { imageSizes, deviceSizes } = imageConfigDefault
  expect(deviceSizes.length).toBeGreaterThan(0)
  expect(defaultWidths).toEqual(expect.arrayContaining([...imageSizes, ...deviceSizes]))
})
