import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as constantTime from '../crypto.js'
import { createBearerVerifier, type Secret } from './authorize.js'

const compare = vi.spyOn(constantTime, 'constantTimeEqual')
beforeEach(() => void compare.mockClear())

const secret = 'Correct-Horse.Battery~Staple+9/=='
const verify = (authorization: string | null, secrets: Secret = secret) =>
  createBearerVerifier(secrets)?.(authorization)
/** The header as a server passes it on: two of the same name are joined. */
const header = (...values: string[]) =>
  new Headers(values.map((value): [string, string] => ['Authorization', value])).get('Authorization')

describe('the Authorization header', () => {
  const table: [string, string | null, ReturnType<typeof verify>][] = [
    ['the secret', header(`Bearer ${secret}`), true],
    ['scheme in lower case', header(`bearer ${secret}`), true],
    ['scheme in upper case', header(`BEARER ${secret}`), true],
    ['several spaces (1*SP)', header(`Bearer   ${secret}`), true],
    ['surrounding white space, which headers drop', header(`\t Bearer ${secret} `), true],
    ['missing', null, 'no Authorization header'],
    ['empty', header(''), 'no Authorization header'],
    ['Bearer without a token', header('Bearer'), 'no token'],
    ['Bearer and a space', 'Bearer ', 'no token'],
    ['the secret without a scheme', header(secret), 'not the Bearer scheme'],
    ['Basic', header(`Basic ${btoa(`user:${secret}`)}`), 'not the Bearer scheme'],
    ['Basic with the secret', header(`Basic ${secret}`), 'not the Bearer scheme'],
    ['a tab in place of the space', header(`Bearer\t${secret}`), 'not the Bearer scheme'],
    ['no space', header(`Bearer${secret}`), 'not the Bearer scheme'],
    ['a colon', header(`Bearer: ${secret}`), 'not the Bearer scheme'],
    ['two correct headers', header(`Bearer ${secret}`, `Bearer ${secret}`), 'malformed token'],
    ['a correct header and a wrong one', header(`Bearer ${secret}`, 'Bearer x'), 'malformed token'],
    ['a correct header and an empty one', header(`Bearer ${secret}`, ''), 'malformed token'],
    ['an empty header and a correct one', header('', `Bearer ${secret}`), 'not the Bearer scheme'],
    ['a correct header after Basic', header('Basic eDp5', `Bearer ${secret}`), 'not the Bearer scheme'],
    ['two tokens', header(`Bearer ${secret} ${secret}`), 'malformed token'],
    ['auth-params', header(`Bearer token="${secret}"`), 'wrong token'],
    ['the secret in lower case', header(`Bearer ${secret.toLowerCase()}`), 'wrong token'],
    ['the secret in upper case', header(`Bearer ${secret.toUpperCase()}`), 'wrong token'],
    ['a prefix of the secret', header(`Bearer ${secret.slice(0, -1)}`), 'wrong token'],
    ['a suffix of the secret', header(`Bearer ${secret.slice(1)}`), 'wrong token'],
    ['the secret with a suffix', header(`Bearer ${secret}x`), 'wrong token'],
    ['non-ASCII', header('Bearer s\u00e9cret'), 'malformed token'],
    ['non-ASCII after the secret', header(`Bearer ${secret}\u00ff`), 'malformed token'],
    ['beyond Latin-1, which no header can be', `Bearer ${secret}\u{1f511}`, 'malformed token'],
    ['a control character', `Bearer ${secret}\u0000`, 'malformed token'],
    ['1 MB', header(`Bearer ${'x'.repeat(2 ** 20)}`), 'malformed token'],
    ['the secret, repeated to 1 MB', header(`Bearer ${secret.repeat(2 ** 15)}`), 'malformed token'],
    ['8,192 characters, which are still hashed', header(`Bearer ${'x'.repeat(8192)}`), 'wrong token'],
  ]
  it.each(table)('%s', (_, authorization, result) => expect(verify(authorization)).toBe(result))
})

describe('secrets', () => {
  it.each([undefined, '', [], [''], ['', undefined, '']])('%j is no secret', (missing) => {
    expect(createBearerVerifier(missing)).toBeUndefined()
  })

  it('that are empty match nothing, also beside others', () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', null]) {
      expect(verify(authorization, ['', 'a', undefined])).not.toBe(true)
    }
  })

  it('of a list are all accepted, the new and the old', () => {
    const both = ['new-secret', 'old-secret']
    expect(verify('Bearer new-secret', both)).toBe(true)
    expect(verify('Bearer old-secret', both)).toBe(true)
    expect(verify('Bearer new-secretold-secret', both)).toBe('wrong token')
    expect(verify('Bearer a', ['a', 'a'])).toBe(true)
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
  ])('that no header can carry throw, without showing the value: %j', (wrong) => {
    expect(() => createBearerVerifier(['right', wrong])).toThrow(
      'secret: expected up to 8,192 visible ASCII characters without comma or white space, got a value that no ' +
        'Authorization header can carry; check for white space at its end, or use the output of `openssl rand -hex 32`',
    )
    expect(() => createBearerVerifier(['right', wrong])).toThrow(TypeError)
    expect(() => createBearerVerifier(['right', wrong])).not.toThrow(String(wrong).trim() || 'never')
  })
})

describe('the comparison', () => {
  it.each([
    ['first secret', 'a'],
    ['last secret', 'ccc'],
    ['no secret', 'nothing-like-it'],
    ['longest token that is hashed', 'x'.repeat(8192)],
  ])('covers every secret, by digests of the same length: %s', (_, token) => {
    verify(`Bearer ${token}`, ['a', 'bb', 'ccc'])
    expect(compare).toHaveBeenCalledTimes(3)
    for (const [given, expected] of compare.mock.calls) expect([given.length, expected.length]).toEqual([64, 64])
  })

  it('is skipped for a token of 1 MB', () => {
    verify(`Bearer ${'x'.repeat(2 ** 20)}`)
    expect(compare).not.toHaveBeenCalled()
  })
})

describe('for any secret and any header', () => {
  const letters = [...'abcXYZ019-._~+/=!$%&*:;?@[]^{|}"\'()<>\\`#']
  const anySecret = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 80 })

  it('accepts the secret, whatever the letter case of the scheme', () => {
    const schemes = fc.mixedCase(fc.constant('bearer'))
    fc.assert(
      fc.property(fc.array(anySecret, { minLength: 1, maxLength: 4 }), schemes, fc.nat(), (secrets, scheme, pick) => {
        expect(verify(`${scheme} ${secrets[pick % secrets.length]}`, secrets)).toBe(true)
      }),
    )
  })

  it('rejects another token', () => {
    fc.assert(
      fc.property(
        fc.array(anySecret, { minLength: 1, maxLength: 4 }),
        fc.string({ unit: 'binary' }),
        (secrets, token) => {
          fc.pre(!secrets.includes(token.replace(/^ +/, '')))
          expect(verify(`Bearer ${token}`, secrets)).not.toBe(true)
        },
      ),
    )
  })

  it('rejects a header that is not Bearer', () => {
    fc.assert(
      fc.property(anySecret, fc.string({ unit: 'binary' }), (one, authorization) => {
        fc.pre(!/^bearer /i.test(authorization))
        expect(verify(authorization, one)).not.toBe(true)
      }),
    )
  })
})
