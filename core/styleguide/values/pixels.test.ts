import { expect, it } from 'vitest'
import { formatPixels, toPixels } from './pixels.js'

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
