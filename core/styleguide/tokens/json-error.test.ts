import fc from 'fast-check'
import { expect, it } from 'vitest'
import { locateJsonError } from './json-error.js'

it.each<[string, number, number]>([
  ['', 1, 1],
  ['{', 1, 2],
  ['{\n  "a": 1,\n}', 3, 1],
  ['{\n  "a" 1\n}', 2, 7],
  ['{"a": \'b\'}', 1, 7],
  ['[1, 2,, 3]', 1, 7],
  ['[1 2]', 1, 4],
  ['{"a": 01}', 1, 8],
  ['{"a": "b}', 1, 7],
  ['{"a": "\\x"}', 1, 7],
  ['{"a": "\n"}', 1, 7],
  ['{} {}', 1, 4],
  ['// tokens\n{}', 1, 1],
  ['{"a": [1}', 1, 9],
  ['{a: 1}', 1, 2],
  ['{"a": undefined}', 1, 7],
  ['{"a": NaN}', 1, 7],
  ['\r\n\t]', 2, 2],
])('%j stops being JSON at line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(locateJsonError(text)).toEqual({ line, column })
})

it('the position of the error is never within the valid part', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('?', '}', ']', ',', ':', '"', 'x', ' 1'), (json, rest) => {
      const { line, column } = locateJsonError(json + rest)
      expect(line).toBe(1)
      // Characters after a number may continue it, which makes the whole number invalid from its start.
      if (!/\d$/.test(json)) expect(column).toBeGreaterThanOrEqual(json.trimEnd().length + 1)
    }),
  )
})

it.each(['"', '[', '{"a":', '"\\u0041', '1', ' '])('locateJsonError reads %j repeated 200,000 times', (piece) => {
  expect(locateJsonError(piece.repeat(200_000)).line).toBe(1)
})
