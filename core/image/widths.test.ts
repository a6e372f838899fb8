import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { defaultWidths } from './widths.js'

it('are ascending, each once', () => {
  expect(defaultWidths).toEqual([...new Set(defaultWidths)].sort((a, b) => a - b))
})

it('hold every width that the installed Next.js asks for by default', () => {
  const { imageConfigDefault } = createRequire(import.meta.url)('next/dist/shared/lib/image-config.js')
  const { imageSizes, deviceSizes } = imageConfigDefault
  expect(deviceSizes.length).toBeGreaterThan(0)
  expect(defaultWidths).toEqual(expect.arrayContaining([...imageSizes, ...deviceSizes]))
})
