import { expect, it } from 'vitest'
import { createRedact } from './secrets.js'

it.each([
  ['a token', 'HTTP 401: bad token abcd+1234', 'HTTP 401: bad token [secret]'],
  ['a token that occurs twice', 'abcd+1234abcd+1234', '[secret][secret]'],
  ['a token in a URL', 'GET /?token=abcd%2B1234', 'GET /?token=[secret]'],
  ['a token in JSON', '{"old":"ol\\"d-one"}', '{"old":"[secret]"}'],
  ['a token with a quote', 'ol"d-one', '[secret]'],
  ['a token in JSON of PHP', '{"token":"slash\\/ed"}', '{"token":"[secret]"}'],
  ['a token that begins with another token', 'abcd+1234-more', '[secret]'],
  ['nothing in a text without a token', 'HTTP 500', 'HTTP 500'],
])('createRedact replaces %s', (_, text, redacted) => {
  expect(createRedact(['abcd+1234', 'ol"d-one', undefined, '', 'abcd+1234-more', 'slash/ed'])(text)).toBe(redacted)
})

it('createRedact ignores secrets that are so short that they occur in many texts', () => {
  expect(createRedact(['abc', 't'])('HTTP 500 for abc')).toBe('HTTP 500 for abc')
})
