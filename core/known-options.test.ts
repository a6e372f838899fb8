import { expect, it } from 'vitest'
import { checkKnownOptions, type OptionKinds } from './known-options.js'

interface Options {
  maxBytes: number
  widths?: readonly number[] | undefined
  enabled?: boolean | undefined
}
const kinds: OptionKinds<Options> = { maxBytes: 'any', widths: 'any', enabled: 'boolean' }
const list = 'expected one of the options maxBytes, widths, enabled, got an unknown one'

it.each([
  ['maxByte', `maxByte: ${list}; did you mean maxBytes?`],
  ['MAXBYTES', `MAXBYTES: ${list}; did you mean maxBytes?`],
  ['width', `width: ${list}; did you mean widths?`],
  ['wdiths', `wdiths: ${list}; did you mean widths?`],
  ['store', `store: ${list}; look elsewhere`],
  ['toString', `toString: ${list}; look elsewhere`],
  ['x'.repeat(100_000), `${'x'.repeat(100_000)}: ${list}; look elsewhere`],
])('%s is unknown', (name, message) => {
  expect(() => checkKnownOptions({ [name]: 1 }, kinds, 'look elsewhere')).toThrow(new TypeError(message))
})

it.each([
  ['true', "enabled: expected true or false, got 'true'; from the environment, write process.env.NAME === 'true'"],
  [1, 'enabled: expected true or false, got 1'],
  [null, 'enabled: expected true or false, got null'],
])('enabled: %j is no boolean', (enabled, message) => {
  expect(() => checkKnownOptions({ enabled }, kinds)).toThrow(new TypeError(message))
})

it('returns known options, whatever is missing or undefined', () => {
  const options = { maxBytes: 1, enabled: undefined }
  expect(checkKnownOptions(options, kinds)).toBe(options)
})
