import { expect, it } from 'vitest'
import {
  atLeast,
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkSecret,
  checkString,
  integer,
  type OptionChecks,
  oneOf,
  required,
  unchecked,
  withMethod,
} from './options.js'

interface Options {
  maxBytes: number
  widths?: readonly number[] | undefined
  enabled?: boolean | undefined
  share?: number | undefined
  log?: (() => void) | undefined
  name?: string | undefined
  key?: string | undefined
  mode?: 'hard' | 'soft' | undefined
  store?: object | undefined
}
const checks: OptionChecks<Options> = {
  maxBytes: required(integer(1, 10)),
  widths: unchecked,
  enabled: checkBoolean,
  share: atLeast(0),
  log: checkFunction,
  name: checkString,
  key: checkSecret,
  mode: oneOf('hard', 'soft'),
  store: withMethod('get', 'a store', 'call it'),
}
const call = 'create({ maxBytes: 5 })'
const list =
  'expected one of the options maxBytes, widths, enabled, share, log, name, key, mode, store, got an unknown one'

it('each boolean, number, string and function among the options needs a check of its type', () => {
  // @ts-expect-error no check of a boolean
  const boolean: OptionChecks<{ enabled: boolean }> = { enabled: unchecked }
  // @ts-expect-error a check of another type
  const number: OptionChecks<{ timeout?: number | undefined }> = { timeout: checkString }
  // @ts-expect-error no check of a function
  const log: OptionChecks<{ log: () => void }> = { log: unchecked }
  // @ts-expect-error the check of `second` is missing
  const missing: OptionChecks<{ first: string; second?: string }> = { first: checkString }
  expect([boolean, number, log, missing]).toHaveLength(4)
})

it.each(['maxByte', 'toString', 'x'.repeat(100_000)])('checkKnownOptions rejects the unknown option %s', (name) => {
  const message = `${name}: ${list}; look elsewhere`
  expect(() => checkKnownOptions({ [name]: 1 }, checks, call, 'look elsewhere')).toThrow(new TypeError(message))
  expect(() => checkKnownOptions({ [name]: undefined }, checks, call)).toThrow(
    new TypeError(`${name}: ${list}; write ${call}`),
  )
  expect(() => checkKnownOptions({ maxBytes: 5, [name]: 1 }, checks, call)).toThrow(new TypeError(`${name}: ${list}`))
})

it.each<[object, string]>([
  [{}, 'maxBytes: expected a whole number from 1 to 10, got undefined; write create({ maxBytes: 5 })'],
  [{ maxBytes: 0 }, 'maxBytes: expected a whole number from 1 to 10, got 0'],
  [
    { enabled: 'true' },
    "enabled: expected true or false, got 'true'; from the environment, write process.env.NAME === 'true'",
  ],
  [{ enabled: 1 }, 'enabled: expected true or false, got 1'],
  [{ enabled: null }, 'enabled: expected true or false, got null'],
  [{ share: '0.1' }, "share: expected a number >= 0, got '0.1'"],
  [{ share: Number.NaN }, 'share: expected a number >= 0, got NaN'],
  [{ share: Number.POSITIVE_INFINITY }, 'share: expected a number >= 0, got Infinity'],
  [{ log: {} }, 'log: expected a function, got an object'],
  [{ name: 5 }, 'name: expected a string, got 5'],
  [{ key: 12_345 }, 'key: expected a string, got number'],
  [{ mode: 'weak' }, "mode: expected 'hard' or 'soft', got 'weak'"],
  [{ store: {} }, 'store: expected a store, got an object; call it'],
  [{ store: null }, 'store: expected a store, got null; call it'],
])('checkKnownOptions rejects %j', (invalidOptions, message) => {
  const isComplete = 'maxBytes' in invalidOptions || message.startsWith('maxBytes')
  const options = isComplete ? invalidOptions : { maxBytes: 1, ...invalidOptions }
  expect(() => checkKnownOptions(options, checks, call)).toThrow(new TypeError(message))
})

it('checkKnownOptions returns known options, even if optional ones are missing or undefined', () => {
  const options = { maxBytes: 1, enabled: undefined, share: 0.5, store: new Map(), mode: 'soft' }
  expect(checkKnownOptions(options, checks, call)).toBe(options)
})
