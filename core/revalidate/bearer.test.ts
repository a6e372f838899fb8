import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as constantTime from '../constant-time.js'
import { createBearerCheck, type Secret } from './bearer.js'

const compare = vi.spyOn(constantTime, 'constantTimeEqual')
beforeEach(() => void compare.mockClear())

const secret = 'Correct-Horse.Battery~Staple+9/=='
const check = (authorization: string | null, secrets: Secret = secret) => createBearerCheck(secrets)?.(authorization)
/** As a server hands the header over: two of one name are merged. */
const header = (...values: string[]) =>
  new Headers(values.map((value): [string, string] => ['Authorization', value])).get('Authorization')

describe('the table of tokens', () => {
  const table: [string, string | null, ReturnType<typeof check>][] = [
    ['right', header(`Bearer ${secret}`), true],
    ['scheme in lower case', header(`bearer ${secret}`), true],
    ['scheme in upper case', header(`BEARER ${secret}`), true],
    ['several spaces (1*SP)', header(`Bearer   ${secret}`), true],
    ['white space around, which no header keeps', header(`\t Bearer ${secret} `), true],
    ['missing', null, 'no Authorization header'],
    ['empty', header(''), 'no Authorization header'],
    ['Bearer alone', header('Bearer'), 'no token'],
    ['Bearer and a space', 'Bearer ', 'no token'],
    ['the secret alone', header(secret), 'not the Bearer scheme'],
    ['Basic', header(`Basic ${btoa(`user:${secret}`)}`), 'not the Bearer scheme'],
    ['Basic with the secret', header(`Basic ${secret}`), 'not the Bearer scheme'],
    ['a tab for the space', header(`Bearer\t${secret}`), 'not the Bearer scheme'],
    ['no space', header(`Bearer${secret}`), 'not the Bearer scheme'],
    ['a colon', header(`Bearer: ${secret}`), 'not the Bearer scheme'],
    ['two right headers', header(`Bearer ${secret}`, `Bearer ${secret}`), 'malformed token'],
    ['a right header and a wrong one', header(`Bearer ${secret}`, 'Bearer x'), 'malformed token'],
    ['a right header and an empty one', header(`Bearer ${secret}`, ''), 'malformed token'],
    ['an empty header and a right one', header('', `Bearer ${secret}`), 'not the Bearer scheme'],
    ['a right header after Basic', header('Basic eDp5', `Bearer ${secret}`), 'not the Bearer scheme'],
    ['more words', header(`Bearer ${secret} ${secret}`), 'malformed token'],
    ['auth-params', header(`Bearer token="${secret}"`), 'wrong token'],
    ['the secret in lower case', header(`Bearer ${secret.toLowerCase()}`), 'wrong token'],
    ['the secret in upper case', header(`Bearer ${secret.toUpperCase()}`), 'wrong token'],
    ['a prefix of the secret', header(`Bearer ${secret.slice(0, -1)}`), 'wrong token'],
    ['a suffix of the secret', header(`Bearer ${secret.slice(1)}`), 'wrong token'],
    ['the secret and more', header(`Bearer ${secret}x`), 'wrong token'],
    ['non-ASCII', header('Bearer s\u00e9cret'), 'malformed token'],
    ['non-ASCII after the secret', header(`Bearer ${secret}\u00ff`), 'malformed token'],
    ['beyond Latin-1, as no header is', `Bearer ${secret}\u{1f511}`, 'malformed token'],
    ['a control character', `Bearer ${secret}\u0000`, 'malformed token'],
    ['1 MB', header(`Bearer ${'x'.repeat(2 ** 20)}`), 'malformed token'],
    ['the secret, repeated to 1 MB', header(`Bearer ${secret.repeat(2 ** 15)}`), 'malformed token'],
    ['8,192 characters, which are still hashed', header(`Bearer ${'x'.repeat(8192)}`), 'wrong token'],
  ]
  it.each(table)('%s', (_, authorization, verdict) => expect(check(authorization)).toBe(verdict))
})

describe('secrets', () => {
  it.each([undefined, '', [], [''], ['', undefined, '']])('%j is none', (none) => {
    expect(createBearerCheck(none)).toBeUndefined()
  })

  it('that are empty match nothing beside others', () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', null]) {
      expect(check(authorization, ['', 'a', undefined])).not.toBe(true)
    }
  })

  it('of a list are all right, the new and the old', () => {
    const both = ['new-secret', 'old-secret']
    expect(check('Bearer new-secret', both)).toBe(true)
    expect(check('Bearer old-secret', both)).toBe(true)
    expect(check('Bearer new-secretold-secret', both)).toBe('wrong token')
    expect(check('Bearer a', ['a', 'a'])).toBe(true)
  })

  it.each([
    ' ',
    'two words',
    'newline-of-a-file\n',
    'a,b',
    'sécret',
    '\u{1f511}',
    'x'.repeat(8193),
    42 as unknown as string,
    null as unknown as string,
  ])('that no header can bear are refused, unnamed: %j', (wrong) => {
    expect(() => createBearerCheck(['right', wrong])).toThrow(/^secret: no Authorization header can bear it; write /)
    expect(() => createBearerCheck(['right', wrong])).toThrow(TypeError)
    expect(() => createBearerCheck(['right', wrong])).not.toThrow(String(wrong).trim() || 'never')
  })
})

describe('the comparison', () => {
  it.each([
    ['first right', 'a'],
    ['last right', 'ccc'],
    ['none right', 'nothing-like-it'],
    ['longest hashed', 'x'.repeat(8192)],
  ])('is with every secret, of digests of one length: %s', (_, token) => {
    check(`Bearer ${token}`, ['a', 'bb', 'ccc'])
    expect(compare).toHaveBeenCalledTimes(3)
    for (const [given, expected] of compare.mock.calls) expect([given.length, expected.length]).toEqual([64, 64])
  })

  it('is not made for a token of 1 MB', () => {
    check(`Bearer ${'x'.repeat(2 ** 20)}`)
    expect(compare).not.toHaveBeenCalled()
  })
})

describe('for any secret and any header', () => {
  const letters = [...'abcXYZ019-._~+/=!$%&*:;?@[]^{|}"\'()<>\\`#']
  const anySecret = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 80 })

  it('the secret is right, whatever the letter case of the scheme', () => {
    const schemes = fc.mixedCase(fc.constant('bearer'))
    fc.assert(
      fc.property(fc.array(anySecret, { minLength: 1, maxLength: 4 }), schemes, fc.nat(), (secrets, scheme, pick) => {
        expect(check(`${scheme} ${secrets[pick % secrets.length]}`, secrets)).toBe(true)
      }),
    )
  })

  it('another token is wrong', () => {
    fc.assert(
      fc.property(
        fc.array(anySecret, { minLength: 1, maxLength: 4 }),
        fc.string({ unit: 'binary' }),
        (secrets, token) => {
          fc.pre(!secrets.includes(token.replace(/^ +/, '')))
          expect(check(`Bearer ${token}`, secrets)).not.toBe(true)
        },
      ),
    )
  })

  it('a header that is no Bearer is wrong', () => {
    fc.assert(
      fc.property(anySecret, fc.string({ unit: 'binary' }), (one, authorization) => {
        fc.pre(!/^bearer /i.test(authorization))
        expect(check(authorization, one)).not.toBe(true)
      }),
    )
  })
})
