import { expect, it } from 'vitest'
import { formatPixels, lineHeightToLength, toPixels } from './lengths.js'

it.each([
  ['16px', 16],
  ['0.875rem', 14],
  ['.5REM', 8],
  [' 1rem ', 16],
  ['-1px', -1],
  ['0', 0],
  ['12pt', 16],
  ['1in', 96],
  ['1Q', 96 / 101.6],
  ['1e2px', 100],
  ['16', undefined],
  ['1em', undefined],
  ['4vw', undefined],
  ['50%', undefined],
  ['calc(1rem + 1px)', undefined],
  ['var(--size)', undefined],
  ['1constructor', undefined],
  ['px', undefined],
  ['', undefined],
])('%s is %s pixels', (length, pixels) => {
  expect(toPixels(length)).toBe(pixels)
})

it.each([
  ['0.875rem', '14 px'],
  ['0.8125rem', '13 px'],
  ['0.3333rem', '5.33 px'],
  ['clamp(1rem, 4vw, 3rem)', '16–48 px'],
  ['clamp(1rem, min(4vw, 2rem), 3rem)', '16–48 px'],
  ['clamp(1em, 4vw, 3rem)', undefined],
  ['calc(1rem * 2)', undefined],
  ['large', undefined],
])('%s is formatted as %s', (length, text) => {
  expect(formatPixels(length)).toBe(text)
})
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
