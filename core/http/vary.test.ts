import { expect, test } from 'vitest'
import { parseVary } from './headers.js'

test.each([
  [null, []],
  ['', []],
  ['Cookie, accept,,Accept ', ['accept', 'cookie']],
  ['Accept, *', '*'],
  ['\u00e9', '*'],
  ['Accept Cookie', '*'],
  ['Accept; q=1', '*'],
  ['"Accept"', '*'],
])('Vary: %j names the fields %j', (field, names) => {
  expect(parseVary(field)).toEqual(names)
})
