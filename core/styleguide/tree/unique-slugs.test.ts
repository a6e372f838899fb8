import { expect, it } from 'vitest'
import { createUniqueSlugs } from './unique-slugs.js'

it.each([
  [
    ['Red', 'Red', 'red!'],
    ['red', 'red-2', 'red-3'],
  ],
  [
    ['Red', 'Red 2', 'Red', 'Red'],
    ['red', 'red-2', 'red-3', 'red-4'],
  ],
  [
    ['Red 2', 'Red', 'Red', 'Red 2'],
    ['red-2', 'red', 'red-3', 'red-2-2'],
  ],
  [
    ['!', '?'],
    ['variant', 'variant-2'],
  ],
])('gives %j the slugs %j', (texts, slugs) => {
  expect(texts.map(createUniqueSlugs('variant'))).toEqual(slugs)
})
