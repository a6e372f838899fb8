import { describe, expect, test } from 'vitest'
import { chooseFormat, type FormatInput } from './formats.js'

describe('chooseFormat', () => {
  test.each<[string, FormatInput, string, string, string]>([
    ['a photograph', { type: 'jpeg', pages: 1, hasAlpha: false, pixels: 1_500_000 }, 'avif', 'webp', 'jpeg'],
    ['a large photograph', { type: 'jpeg', pages: 1, hasAlpha: false, pixels: 50_000_000 }, 'avif', 'webp', 'jpeg'],
    ['a drawing with alpha', { type: 'png', pages: 1, hasAlpha: true, pixels: 9 }, 'avif', 'webp', 'png'],
    ['an animated GIF', { type: 'gif', pages: 9, hasAlpha: true, pixels: 9 }, 'webp', 'webp', 'gif'],
    ['a still GIF', { type: 'gif', pages: 1, hasAlpha: false, pixels: 9 }, 'avif', 'webp', 'jpeg'],
    ['an animated WebP', { type: 'webp', pages: 9, hasAlpha: false, pixels: 9 }, 'webp', 'webp', 'webp'],
  ])('%s', (_, input, best, better, plain) => {
    expect(chooseFormat(input, ['avif', 'webp'])).toBe(best)
    expect(chooseFormat(input, ['webp'])).toBe(better)
    expect(chooseFormat(input, [])).toBe(plain)
  })

  test('AVIF up to a number of pixels, where one is given', () => {
    const input: FormatInput = { type: 'jpeg', pages: 1, hasAlpha: false, pixels: 1_500_000 }
    expect(chooseFormat(input, ['avif', 'webp'], 1_500_000)).toBe('avif')
    expect(chooseFormat({ ...input, pixels: 1_500_001 }, ['avif', 'webp'], 1_500_000)).toBe('webp')
    expect(chooseFormat({ ...input, pixels: 1_500_001 }, ['avif'], 1_500_000)).toBe('jpeg')
  })
})
