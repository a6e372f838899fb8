import { describe, expect, test } from 'vitest'
import { acceptedFormats, chooseFormat, type FormatInput } from './formats.js'

describe('acceptedFormats', () => {
  test.each([
    ['image/avif,image/webp,image/apng,image/*,*/*;q=0.8', ['avif', 'webp']],
    ['image/webp,image/avif', ['avif', 'webp']],
    ['image/webp,*/*', ['webp']],
    ['IMAGE/AVIF', ['avif']],
    ['image/avif;q=0.1', ['avif']],
    ['image/avif;q=0,image/webp', ['webp']],
    ['image/avif ; q=0.000 , image/webp;q=1.0', ['webp']],
    ['image/avif;v=1;Q=0', []],
    ['image/avif;q=0.05', ['avif']],
    ['*/*', []],
    ['image/*', []],
    ['image/avif-sequence', []],
    ['ximage/avif', []],
    ['', []],
    [null, []],
  ])('%s', (accept, formats) => {
    expect(acceptedFormats(accept)).toEqual(formats)
  })
})

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
