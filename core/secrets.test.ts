import { expect, it } from 'vitest'
import { createRedact } from './secrets.js'

it.each([
  ['a token', 'HTTP 401: bad token abcd+1234', 'HTTP 401: bad token [secret]'],
  ['one several times', 'abcd+1234abcd+1234', '[secret][secret]'],
  ['one in a URL', 'GET /?token=abcd%2B1234', 'GET /?token=[secret]'],
  ['one in JSON', '{"old":"ol\\"d-one"}', '{"old":"[secret]"}'],
  ['another', 'ol"d-one', '[secret]'],
  ['one in JSON of PHP', '{"token":"slash\\/ed"}', '{"token":"[secret]"}'],
  ['one that begins with another', 'abcd+1234-more', '[secret]'],
  ['none', 'HTTP 500', 'HTTP 500'],
])('replaces %s', (_, text, redacted) => {
  expect(createRedact(['abcd+1234', 'ol"d-one', undefined, '', 'abcd+1234-more', 'slash/ed'])(text)).toBe(redacted)
})

it('leaves texts alone where a secret is so short that it is in any of them', () => {
  expect(createRedact(['abc', 't'])('HTTP 500 for abc')).toBe('HTTP 500 for abc')
})
