import { describe, expect, test } from 'vitest'
import { chooseFormat } from './encoders.js'

type Header = Parameters<typeof chooseFormat>[0]

describe('chooseFormat', () => {
  test.each<[string, Header, string, string, string]>([
    ['a photograph', { type: 'jpeg', pages: 1, hasAlpha: false }, 'avif', 'webp', 'jpeg'],
    ['a large photograph', { type: 'jpeg', pages: 1, hasAlpha: false }, 'avif', 'webp', 'jpeg'],
    ['a drawing with alpha', { type: 'png', pages: 1, hasAlpha: true }, 'avif', 'webp', 'png'],
    ['an animated GIF', { type: 'gif', pages: 9, hasAlpha: true }, 'webp', 'webp', 'gif'],
    ['a still GIF', { type: 'gif', pages: 1, hasAlpha: false }, 'avif', 'webp', 'jpeg'],
    ['an animated WebP', { type: 'webp', pages: 9, hasAlpha: false }, 'webp', 'webp', 'webp'],
  ])('%s', (_, header, best, better, plain) => {
    expect(chooseFormat(header, ['avif', 'webp'])).toBe(best)
    expect(chooseFormat(header, ['webp'])).toBe(better)
    expect(chooseFormat(header, [])).toBe(plain)
  })
})
