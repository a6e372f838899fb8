import { expect, it } from 'vitest'
import { readStylesheet } from './stylesheet.js'

it.each(['/*', '"', '(', 'url(', '{', '\\', ':root{--a:', 'u', ' ', ':root{--\\aa', ':root{--a: ! ', ' ;', 'a;'])(
  'readStylesheet reads %j repeated 200,000 times',
  (piece) => {
    expect(readStylesheet(piece.repeat(200_000))).toBeDefined()
  },
)

it('readStylesheet reads a value of 200,000 blocks', () => {
  expect(readStylesheet(`:root{--a:${'{}'.repeat(200_000)}}`)).toBeDefined()
})

it('readStylesheet reads 10,000 themes of ten properties, and 10,000 levels of conditions', () => {
  const theme = (_: unknown, i: number) => `[data-theme=t${i}]{${'--a:x;--b:y;--c:z;--d:x;--e:y;'.repeat(2)}}`
  expect(readStylesheet(Array.from({ length: 10_000 }, theme).join('')).modes.size).toBe(10_000)
  for (const level of [
    '@media (x:y){',
    '@media (x:1){@media (x:2){',
    '@layer a{',
    ':root{',
    '&.dark{',
    '@supports (x:y){',
  ]) {
    expect(readStylesheet(`:root{${level.repeat(10_000)}--a:x`)).toBeDefined()
  }
})

it.each([':where(', ':not(', '[a]', '[a="', '.a', ',', ':is(:root,', '\\', '"', ':host('])(
  'readStylesheet reads a selector of %j repeated 100,000 times',
  (piece) => {
    expect(readStylesheet(`${piece.repeat(100_000)}{--a:x}:root${piece.repeat(100_000)}{--a:x}`)).toBeDefined()
  },
)
