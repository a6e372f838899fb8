import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as constantTime from '../crypto.js'
import type { Secret } from '../secrets.js'
import { createBearerVerifier } from './authorize.js'

const compare = vi.spyOn(constantTime, 'constantTimeEqual')
beforeEach(() => void compare.mockClear())

const secret = 'Correct-Horse.Battery~Staple+9/=='
const verify = (authorization: string | null, secrets: Secret = secret) =>
  createBearerVerifier(secrets)?.(authorization)
/** Returns the header as a server passes it on: several headers are joined. */
const header = (...values: string[]) =>
  new Headers(values.map((value): [string, string] => ['Authorization', value])).get('Authorization')

describe('the Authorization header', () => {
  const table: [string, string | null, ReturnType<typeof verify>][] = [
    ['the secret', header(`Bearer ${secret}`), true],
    ['a scheme in lower case', header(`bearer ${secret}`), true],
    ['a scheme in upper case', header(`BEARER ${secret}`), true],
    ['several spaces (1*SP)', header(`Bearer   ${secret}`), true],
    ['surrounding white space, which headers drop', header(`\t Bearer ${secret} `), true],
    ['a missing header', null, 'no Authorization header'],
    ['an empty header', header(''), 'no Authorization header'],
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
    ['a token beyond ASCII', header('Bearer s\u00e9cret'), 'malformed token'],
    ['the secret with a character beyond ASCII', header(`Bearer ${secret}\u00ff`), 'malformed token'],
    ['characters beyond Latin-1, which no header can have', `Bearer ${secret}\u{1f511}`, 'malformed token'],
    ['a control character', `Bearer ${secret}\u0000`, 'malformed token'],
    ['1 MB', header(`Bearer ${'x'.repeat(2 ** 20)}`), 'malformed token'],
    ['the secret, repeated to 1 MB', header(`Bearer ${secret.repeat(2 ** 15)}`), 'malformed token'],
    ['8,192 characters, which are still hashed', header(`Bearer ${'x'.repeat(8192)}`), 'wrong token'],
  ]
  it.each(table)('an Authorization header is accepted or rejected: %s', (_, authorization, result) =>
    expect(verify(authorization)).toBe(result),
  )
})

describe('secrets', () => {
  it.each([undefined, '', [], [''], ['', undefined, '']])('without a secret, there is no verifier: %j', (missing) => {
    expect(createBearerVerifier(missing)).toBeUndefined()
  })

  it('empty secrets match nothing, even beside other secrets', () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', null]) {
      expect(verify(authorization, ['', 'a', undefined])).not.toBe(true)
    }
  })

  it('all secrets of a list are accepted, such as a new and an old one', () => {
    const secrets = ['new-secret', 'old-secret']
    expect(verify('Bearer new-secret', secrets)).toBe(true)
    expect(verify('Bearer old-secret', secrets)).toBe(true)
    expect(verify('Bearer new-secretold-secret', secrets)).toBe('wrong token')
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
  ])('a secret that no header can carry is rejected, and the error does not show it: %j', (malformedSecret) => {
    expect(() => createBearerVerifier(['right', malformedSecret])).toThrow(
      'secret: expected up to 8,192 visible ASCII characters without comma or white space, got a value that no ' +
        'Authorization header can carry; check for white space at its end, or use the output of `openssl rand -hex 32`',
    )
    expect(() => createBearerVerifier(['right', malformedSecret])).toThrow(TypeError)
    expect(() => createBearerVerifier(['right', malformedSecret])).not.toThrow(
      String(malformedSecret).trim() || 'never',
    )
  })
})

describe('the comparison', () => {
  it.each([
    ['the first secret', 'a'],
    ['the last secret', 'ccc'],
    ['no secret', 'nothing-like-it'],
    ['the longest token that is hashed', 'x'.repeat(8192)],
  ])('the comparison covers every secret, by digests of the same length: %s', (_, token) => {
    verify(`Bearer ${token}`, ['a', 'bb', 'ccc'])
    expect(compare).toHaveBeenCalledTimes(3)
    for (const [received, expected] of compare.mock.calls) expect([received.length, expected.length]).toEqual([64, 64])
  })

  it('a token of 1 MB is not compared', () => {
    verify(`Bearer ${'x'.repeat(2 ** 20)}`)
    expect(compare).not.toHaveBeenCalled()
  })
})

describe('for any secret and any header', () => {
  const letters = [...'abcXYZ019-._~+/=!$%&*:;?@[]^{|}"\'()<>\\`#']
  const anySecret = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 80 })

  it('any secret is accepted, in any letter case of the scheme', () => {
    const schemes = fc.mixedCase(fc.constant('bearer'))
    fc.assert(
      fc.property(fc.array(anySecret, { minLength: 1, maxLength: 4 }), schemes, fc.nat(), (secrets, scheme, pick) => {
        expect(verify(`${scheme} ${secrets[pick % secrets.length]}`, secrets)).toBe(true)
      }),
    )
  })

  it('any other token is rejected', () => {
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

  it('any header without Bearer is rejected', () => {
    fc.assert(
      fc.property(anySecret, fc.string({ unit: 'binary' }), (right, authorization) => {
        fc.pre(!/^bearer /i.test(authorization))
        expect(verify(authorization, right)).not.toBe(true)
      }),
    )
  })
})
