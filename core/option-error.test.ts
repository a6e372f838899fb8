import { describe, expect, it } from 'vitest'
import { formatValue, optionError, secretError } from './option-error.js'
import { checkInteger } from './options.js'

const trap = {
  toString() {
    throw new Error('toString was called')
  },
}

describe('formatValue', () => {
  it.each<[unknown, string]>([
    ['text', "'text'"],
    ['', "''"],
    ['x'.repeat(100), `'${'x'.repeat(100)}'`],
    ['x'.repeat(101), `'${'x'.repeat(100)}…'`],
    ['https://user:pass@cdn.test/a', "'https://…@cdn.test/a'"],
    ['https:user:pass@cdn.test/a', "'https:…@cdn.test/a'"],
    ['//user:pass@cdn.test/a?b', "'//user:…@cdn.test/a?…'"],
    ['user:p:a@ss@cdn.test/a', "'user:…@cdn.test/a'"],
    ['editor@site.test', "'editor@site.test'"],
    ['https://user:p/a?s#s@cdn.test/a', "'https://…@cdn.test/a'"],
    [`https://${'u'.repeat(200)}@cdn.test/`, "'https://…@cdn.test/'"],
    ['https://cdn.test/a?token=abc', "'https://cdn.test/a?…'"],
    ['https://cdn.test/?', "'https://cdn.test/?'"],
    ['/media/?', "'/media/?'"],
    [0.5, '0.5'],
    [Number.NaN, 'NaN'],
    [1n, '1'],
    [true, 'true'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[], 'an empty list'],
    [['a'], 'a list'],
    [{ a: 1 }, 'an object'],
    [trap, 'an object'],
    [Object.create(null), 'an object'],
    [() => 1, 'a function'],
    [Symbol('a'), 'Symbol(a)'],
  ])('formatValue writes %o as %s', (value, text) => expect(formatValue(value)).toBe(text))
})

describe('optionError', () => {
  it('optionError says what was expected and what it got', () => {
    expect(optionError('mode', "'hard' or 'soft'", 'x')).toEqual(
      new TypeError("mode: expected 'hard' or 'soft', got 'x'"),
    )
  })

  it('optionError appends a hint', () => {
    expect(optionError('tags', 'one or more tags', [], "such as ['a']").message).toBe(
      "tags: expected one or more tags, got an empty list; such as ['a']",
    )
  })
})

describe('secretError', () => {
  it('secretError has the same form as optionError, but without the value', () => {
    expect(secretError('key', 'hex', 'another character', 'create one with openssl')).toEqual(
      new TypeError('key: expected hex, got another character; create one with openssl'),
    )
  })
})

describe('checkInteger', () => {
  it.each([
    [0, 0, undefined],
    [7, 1, 7],
    [Number.MAX_SAFE_INTEGER, 1, undefined],
  ])('checkInteger returns %d', (value, min, max) => expect(checkInteger('size', value, min, max)).toBe(value))

  it.each<[unknown, number | undefined, number | undefined, string]>([
    [-1, undefined, undefined, 'size: expected a whole number >= 0, got -1'],
    [0.5, 1, undefined, 'size: expected a whole number >= 1, got 0.5'],
    [Number.NaN, 1, undefined, 'size: expected a whole number >= 1, got NaN'],
    [2 ** 53, 1, undefined, 'size: expected a whole number >= 1, got 9007199254740992'],
    ['5', 1, undefined, "size: expected a whole number >= 1, got '5'"],
    [undefined, 1, undefined, 'size: expected a whole number >= 1, got undefined'],
    [9, 1, 8, 'size: expected a whole number from 1 to 8, got 9'],
  ])('checkInteger rejects %o', (value, min, max, message) => {
    expect(() => checkInteger('size', value, min, max)).toThrow(new TypeError(message))
  })
})
