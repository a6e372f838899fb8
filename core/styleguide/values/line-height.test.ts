import { expect, it } from 'vitest'
import { lineHeightToLength } from './line-height.js'

it.each([
  ['1.5', 'calc(1rem * 1.5)'],
  ['.9', 'calc(1rem * .9)'],
  ['calc(1.25 / 0.875)', 'calc(1rem * calc(1.25 / 0.875))'],
  ['var(--leading)', 'calc(1rem * var(--leading))'],
  ['1.25rem', '1.25rem'],
  ['24px', '24px'],
  ['150%', '150%'],
  ['calc(1rem + 4px)', 'calc(1rem + 4px)'],
  ['clamp(20px, 4vw, 2rem)', 'clamp(20px, 4vw, 2rem)'],
  ['normal', undefined],
  ['inherit', undefined],
  ['-1', undefined],
  ['1,5', undefined],
  ['url(x)', undefined],
  ['', undefined],
])('%s is %s', (lineHeight, expected) => {
  expect(lineHeightToLength(lineHeight)).toBe(expected)
})
