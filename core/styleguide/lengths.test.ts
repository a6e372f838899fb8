import { expect, it } from 'vitest'
import { formatLength, lineHeightToLength, toPixels } from './lengths.js'

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
])('the line height %s becomes the length %s', (lineHeight, expected) => {
  expect(lineHeightToLength(lineHeight)).toBe(expected)
})

it.each([
  ['0.875rem', '14 px'],
  ['0.8125rem', '13 px'],
  ['0.3333rem', '5.3 px'],
  ['20.5px', '20.5 px'],
  ['-8px', '-8 px'],
  ['calc(0.25rem * 6)', '24 px'],
  ['clamp(1rem, 4vw, 3rem)', '16–48 px'],
  ['CLAMP(2.5rem, 1.65rem + 3.6vw, 4.75rem)', '40–72 px'],
  ['clamp(4rem, 1vw, 5rem)', '64 px'],
  ['calc(100vw - 2 * (1rem + 4px))', '350–1240 px'],
  ['min(10vi, 50px) ', '39–50 px'],
  ['max(1vw / 2, -1px)', '2–6.4 px'],
  ['round(1vw, 1px)', '4–13 px'],
])('the length %s is formatted as %s', (length, formatted) => {
  expect(formatLength(length)).toBe(formatted.replace(' px', '\u00a0px'))
})

it.each(['large', '20ch', 'clamp(1em, 4vw, 3rem)', 'calc(1vw +', '1vw 2vw', 'calc(1vw / 0)', 'calc(1vw + 1)'])(
  'the length %s, which only a browser can resolve, is formatted as it is',
  (length) => expect(formatLength(length)).toBe(length),
)

it('a formula of 10,000 brackets is formatted as it is', () => {
  const formula = `${'('.repeat(9_999)}1vw`
  expect(formatLength(formula)).toBe(formula)
})
