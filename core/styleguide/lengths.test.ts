import { describe, expect, it } from 'vitest'
import { formatAtWidths, formatPixels, lineHeightToLength, toPixels } from './lengths.js'

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
])('the line height %s becomes the length %s', (lineHeight, expected) => {
  expect(lineHeightToLength(lineHeight)).toBe(expected)
})

describe('formatAtWidths', () => {
  it.each<[length: string, formatted: string | undefined]>([
    ['clamp(1rem, 4vw, 3rem)', '16 px at 390, 30.7 at 768, 48 at 1280'],
    ['CLAMP(2.5rem, 1.65rem + 3.6vw, 4.75rem)', '40.4 px at 390, 54 at 768, 72.5 at 1280'],
    ['calc(100vw - 2 * (1rem + 4px))', '350 px at 390, 728 at 768, 1240 at 1280'],
    ['min(10vi, 50px) ', '39 px at 390, 50 at 768, 50 at 1280'],
    ['max(1vw / 2, -1px)', '2 px at 390, 3.8 at 768, 6.4 at 1280'],
    ['1rem', undefined],
    ['calc(1em + 1vw)', undefined],
    ['calc(1vw +', undefined],
    ['1vw 2vw', undefined],
    ['round(1vw, 1px)', '4 px at 390, 8 at 768, 13 at 1280'],
    ['calc(1vw / 0)', undefined],
    ['calc(1vw + 1)', undefined],
    [`${'('.repeat(9_999)}1vw`, undefined],
  ])('formats %s at three window widths', (length, formatted) => expect(formatAtWidths(length)).toBe(formatted))
})
