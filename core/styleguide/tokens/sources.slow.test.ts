import { expect, it } from 'vitest'
import { fromDesignTokens } from '../testing/without-source.js'

it('fromDesignTokens reads a file of 20 MB', () => {
  const group = (start: number) =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [
        `${start + i}`,
        { $type: 'color', $value: '#123456', $description: 'x'.repeat(300) },
      ]),
    )
  const json = JSON.stringify(Object.fromEntries(Array.from({ length: 560 }, (_, i) => [`g${i}`, group(i * 100)])))
  expect(json.length).toBeGreaterThan(19_000_000)
  expect(fromDesignTokens(json).colors).toHaveLength(56_000)
})
