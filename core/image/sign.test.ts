import * as crypto from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHmac, createPortableHmac, createSigner } from './sign.js'

const hex = (text: string) => Buffer.from(text).toString('hex')
const knownAnswers = [
  [hex('test-key'), hex('test-salt'), '/asd', 'oWaL7QoW5TsgbuiS9-5-DI8S3Ibbo1gdB2SteJh3a20'],
  [
    '736563726574',
    '68656C6C6F',
    '/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png',
    'oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8',
  ],
] as const

describe.each([
  ['portable', createPortableHmac],
  ["platform's", createHmac],
])('the %s HMAC', (_, implementation) => {
  it.each(knownAnswers)('with the key %s and the salt %s, signs the path %s', (key, salt, path, signature) => {
    expect(implementation(Buffer.from(key, 'hex'), Buffer.from(salt, 'hex'))(path)).toBe(signature)
  })
})

it('both HMACs equal that of node:crypto for any key, salt and path', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(bytes, bytes, fc.string({ unit: 'binary' }), (key, salt, path) => {
      const expected = crypto.createHmac('sha256', key).update(salt).update(path).digest('base64url')
      expect(createHmac(key, salt)(path)).toBe(expected)
      expect(createPortableHmac(key, salt)(path)).toBe(expected)
    }),
  )
})

describe('createSigner', () => {
  it.each(knownAnswers)('with the key %s and the salt %s, signs the path %s', (key, salt, path, signature) => {
    expect(createSigner({ key, salt })(path)).toBe(signature)
  })

  it.each([
    ['key', { key: 'secret', salt: 'aa' }],
    ['key', { key: 'abc', salt: 'aa' }],
    ['key', { key: '', salt: 'aa' }],
    ['salt', { key: 'aa', salt: '0x12' }],
    ['salt', { key: 'aa', salt: 'aa ' }],
  ])('throws an error that names %s when it is not hex: %j', (option, pair) => {
    expect(() => createSigner(pair)).toThrow(new RegExp(`^${option}: expected hex`))
    expect(() => createSigner(pair)).toThrow(TypeError)
  })
})
