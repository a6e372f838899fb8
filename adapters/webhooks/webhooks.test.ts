import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as constantTime from '../../core/crypto.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import {
  type TimedWebhookOptions,
  type VerifyRequest,
  verifyContentful,
  verifyPrismic,
  verifySanity,
  verifyStandardWebhook,
  verifyStoryblok,
} from './index.js'

const compare = vi.spyOn(constantTime, 'constantTimeEqual')
const clock = Date.UTC(2026, 10, 21)
beforeEach(() => {
  compare.mockClear()
  vi.useFakeTimers({ toFake: ['Date'], now: clock })
})
afterEach(() => void vi.useRealTimers())

interface Sender {
  name: string
  create: (options: TimedWebhookOptions) => VerifyRequest
  secrets: [string, string]
  /** Signs as the CMS does, implemented independently with node:crypto. */
  sign: (
    body: Uint8Array,
    secret: string,
    at: number,
    webhookName?: string,
  ) => { body: Uint8Array; headers: Record<string, string> }
  timed: boolean
}

const contentfulHeaders =
  'x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic,x-contentful-webhook-name'
const senders: Sender[] = [
  {
    name: 'Sanity',
    create: verifySanity,
    secrets: ['old secret of the site', 'n\u00e9w secret of the site'],
    timed: true,
    sign(body, secret, at) {
      const mac = createHmac('sha256', secret).update(`${at}.`).update(body).digest('base64url')
      return { body, headers: { 'sanity-webhook-signature': `t=${at},v1=${mac}` } }
    },
  },
  {
    name: 'Contentful',
    create: (options) => verifyContentful({ ...options, path: '/api/revalidate?site=a b'.replace(' ', '%20') }),
    secrets: ['a'.repeat(64), `${'+/=_-'.repeat(12)}WXYZ`],
    timed: true,
    sign(body, secret, at, webhookName = 'r\u00e9validate') {
      const headers: Record<string, string> = {
        'x-contentful-signed-headers': contentfulHeaders,
        'x-contentful-timestamp': String(at),
        'x-contentful-topic': 'ContentManagement.Entry.publish',
        'x-contentful-webhook-name': webhookName,
      }
      const lines = contentfulHeaders.split(',').map((header) => `${header}:${headers[header]}`)
      const mac = createHmac('sha256', secret)
        .update(`POST\n/api/revalidate?site%253Da%252520b\n${lines.join(';')}\n`)
        .update(body)
        .digest('hex')
      return { body, headers: { ...headers, 'x-contentful-signature': mac, 'x-contentful-crn': 'unsigned' } }
    },
  },
  {
    name: 'Storyblok',
    create: ({ secret }) => verifyStoryblok({ secret }),
    secrets: ['hello of 16 bytes', 'another of 16 bytes'],
    timed: false,
    sign: (body, secret) => ({
      body,
      headers: { 'webhook-signature': createHmac('sha1', secret).update(body).digest('hex') },
    }),
  },
  {
    name: 'Prismic',
    create: ({ secret }) => verifyPrismic({ secret }),
    secrets: ['hello of 16 bytes', 'w\u00f6rld of 16 bytes'],
    timed: false,
    sign: (body, secret) => ({
      body: Buffer.from(JSON.stringify({ type: 'api-update', secret, payload: Buffer.from(body).toString('hex') })),
      headers: {},
    }),
  },
  standardSender('Standard Webhooks', 'webhook'),
  standardSender('Standard Webhooks of Svix', 'svix'),
]

function standardSender(name: string, prefix: 'webhook' | 'svix'): Sender {
  return {
    name,
    create: verifyStandardWebhook,
    secrets: [`whsec_${btoa('a'.repeat(24))}`, btoa('b'.repeat(64))],
    timed: true,
    sign(body, secret, at) {
      const seconds = Math.floor(at / 1000)
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const mac = createHmac('sha256', key).update(`msg_1.${seconds}.`).update(body).digest('base64')
      return {
        body,
        headers: {
          [`${prefix}-id`]: 'msg_1',
          [`${prefix}-timestamp`]: String(seconds),
          [`${prefix}-signature`]: `v1,${mac}`,
        },
      }
    },
  }
}

const text = (value: string) => new TextEncoder().encode(value)

it.each([
  ['Latin-1', 'r\u00e9validate', 'r\u00e9validate'],
  ['UTF-8', 'r\u00e9validate', Buffer.from('r\u00e9validate').toString('latin1')],
  ['UTF-8, beyond Latin-1', '公開', Buffer.from('公開').toString('latin1')],
])("Contentful: a webhook's name in %s, as it arrives, is signed as UTF-8", async (_, name, arrived) => {
  const { create, secrets, sign } = senders.find((sender) => sender.name === 'Contentful') as Sender
  const { body, headers } = sign(text('{}'), secrets[0], clock, name)
  const verify = (value: string) =>
    create({ secret: secrets[0] })(
      new Uint8Array(body),
      new Headers({ ...headers, 'x-contentful-webhook-name': value }),
    )
  expect(await verify(arrived)).toBe(true)
  expect(await verify(`${arrived}s`)).toBe('wrong signature')
})

describe.each(senders)('$name', ({ name, create, secrets, sign, timed }) => {
  const [secret, otherSecret] = secrets
  type Signed = ReturnType<typeof sign>
  const verify = async ({ body, headers }: Signed, options: Partial<TimedWebhookOptions> = {}) =>
    create({ secret, ...options })(new Uint8Array(body), new Headers(headers))
  const payload = text('{"_id":"page","text":"gr\u00fc\u00dfe"}')
  const signed = sign(payload, secret, clock)
  const rejection = name === 'Prismic' ? 'wrong secret' : 'wrong signature'

  it('accepts a genuine request', async () => expect(await verify(signed)).toBe(true))

  if (name !== 'Prismic')
    it.each([
      ['empty', new Uint8Array()],
      ['of invalid UTF-8', new Uint8Array([0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80])],
      ['of 64 KB', new Uint8Array(65_536).fill(0x20)],
      ['with a byte order mark and CRLF', text('\ufeff{\r\n}')],
    ])('accepts a genuine request with a body %s', async (_, body) =>
      expect(await verify(sign(body, secret, clock))).toBe(true),
    )

  if (name !== 'Prismic')
    it('rejects a body that was changed in one bit, truncated or extended', async () => {
      for (let index = 0; index < payload.length; index++) {
        const body = payload.slice()
        body[index] = (body[index] ?? 0) ^ 1
        expect(await verify({ ...signed, body })).toBe(rejection)
      }
      expect(await verify({ ...signed, body: payload.slice(1) })).toBe(rejection)
      expect(await verify({ ...signed, body: new Uint8Array([...payload, 0x20]) })).toBe(rejection)
      expect(await verify({ ...signed, body: new Uint8Array() })).toBe(rejection)
    })

  it('rejects a request signed with another secret', async () =>
    expect(await verify(sign(payload, otherSecret, clock))).toBe(rejection))

  it('accepts every secret of a list, and no other secret', async () => {
    const options = { secret: [otherSecret, secret] }
    expect(await verify(signed, options)).toBe(true)
    expect(await verify(sign(payload, otherSecret, clock), options)).toBe(true)
    expect(await verify(signed, { secret: [otherSecret] })).toBe(rejection)
  })

  it('compares the signature with every secret, in constant time', async () => {
    await verify(signed, { secret: [secret, otherSecret, secret] })
    expect(compare).toHaveBeenCalledTimes(3)
    for (const [actual, expected] of compare.mock.calls) expect(actual.length).toBe(expected.length)
  })

  it.each([undefined, null, '', [], [''], [secret, ''], [secret, undefined], 42, {}])(
    'throws on the secret %j',
    (missing) => {
      const createWithSecret = () => create({ secret: missing as string })
      expect(createWithSecret).toThrow(TypeError)
      expect(createWithSecret).toThrow(/^secret: /)
      expect(createWithSecret).not.toThrow(secret)
    },
  )

  if (name !== 'Prismic')
    it('rejects a request without headers', async () => {
      expect(await verify({ ...signed, headers: {} })).toMatch(/^no [\w-]+ header$/)
    })

  if (name !== 'Prismic')
    it('rejects each header if missing, empty, repeated, malformed or of 1 MB', async () => {
      const names = Object.keys(signed.headers).filter((header) => header !== 'x-contentful-crn')
      for (const header of names) {
        const value = signed.headers[header] ?? ''
        const { [header]: _, ...without } = signed.headers
        const changed = [
          without,
          ...['', `${value}, ${value}`, `${value}x`, `x${value}`, ' ', '\u00ff', 'x'.repeat(2 ** 20)].map((given) => ({
            ...signed.headers,
            [header]: given,
          })),
        ]
        for (const headers of changed) {
          const result = await verify({ ...signed, headers: headers as Record<string, string> })
          expect(result).toEqual(expect.any(String))
          // The reason is logged, and must show neither a signature nor a secret.
          expect(result).not.toContain(secret)
          expect(String(result).length).toBeLessThan(200)
        }
      }
    })

  if (timed)
    it.each([
      ['at the start of the window', -300, true],
      ['at the end of the window', 300, true],
      ['just before the window', -301, 'signed 301 s ago, over the tolerance of 300 s'],
      ['just after the window', 301, 'signed 301 s in the future, over the tolerance of 300 s'],
      ['a year ago', -31_536_000, 'signed 31536000 s ago, over the tolerance of 300 s'],
    ])('the result for a request signed %s', async (_, seconds, result) => {
      expect(await verify(sign(payload, secret, clock + seconds * 1000))).toBe(result)
    })

  if (timed)
    it('a request must be within the option tolerance', async () => {
      const oldRequest = sign(payload, secret, clock - 3_600_000)
      expect(await verify(oldRequest, { tolerance: 3600 })).toBe(true)
    })

  if (timed)
    it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('throws on the tolerance %s', (tolerance) => {
      expect(() => create({ secret, tolerance })).toThrow(
        `tolerance: expected seconds > 0, such as 300, got ${tolerance}`,
      )
    })

  it('accepts any body that is signed, and no other body', async () => {
    const content = fc.uint8Array({ maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(content, content, fc.integer({ min: -299, max: 299 }), async (body, otherBody, seconds) => {
        const genuine = sign(body, secret, clock + seconds * 1000)
        expect(await verify(genuine)).toBe(true)
        if (name !== 'Prismic' && Buffer.compare(body, otherBody) !== 0) {
          expect(await verify({ ...genuine, body: otherBody })).toBe(rejection)
        }
      }),
    )
  })

  it('neither accepts nor throws on arbitrary input', async () => {
    const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
    const names = [...Object.keys(signed.headers), 'x-other']
    const anything = fc.dictionary(fc.constantFrom(...names), header)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), anything, async (body, headers) => {
        expect(await verify({ body, headers: { ...headers } })).toEqual(expect.any(String))
      }),
    )
  })

  it('the verifier works as the option verify of the endpoint', async () => {
    const invalidate = vi.fn()
    const log = vi.fn()
    const endpoint = createRevalidateEndpoint({ verify: create({ secret }), invalidate, log })
    const send = async ({ body, headers }: Signed) =>
      (
        await endpoint(
          new Request('https://site.test/api/revalidate', { method: 'POST', body: new Uint8Array(body), headers }),
        )
      )?.status
    expect(await send(signed)).toBe(200)
    expect(invalidate).toHaveBeenCalledExactlyOnceWith(['document'])
    expect(await send(sign(payload, otherSecret, clock))).toBe(401)
    expect(invalidate).toHaveBeenCalledTimes(1)
    expect(log.mock.calls).toEqual([[expect.any(String), expect.objectContaining({ reason: rejection })]])
  })
})

describe('Contentful', () => {
  const secret = 'a'.repeat(64)
  const create = (options = {}) => verifyContentful({ secret, ...options })

  it.each([
    ['secret', { secret: 'short' }],
    ['secret', { secret: `${'a'.repeat(63)}!` }],
    ['path', { path: 'api' }],
    ['path', { path: 'https://site.test/api' }],
    ['path', { path: '/a b' }],
  ])('%s: %j', (option, options) => {
    expect(() => create(options)).toThrow(TypeError)
    expect(() => create(options)).toThrow(new RegExp(`^${option}: `))
  })

  const send = (signedHeaders: string, extraHeaders: Record<string, string> = {}) =>
    create()(
      new Uint8Array(),
      new Headers({
        'x-contentful-signature': '0'.repeat(64),
        'x-contentful-timestamp': String(clock),
        'x-contentful-signed-headers': signedHeaders,
        ...extraHeaders,
      }),
    )

  it.each([
    ['an unsigned timestamp', 'x-contentful-signed-headers', 'x-contentful-timestamp is not signed'],
    ['an unsigned list', 'x-contentful-timestamp', 'x-contentful-signed-headers is not signed'],
    [
      'a header that is named again and again',
      'x-contentful-signed-headers,x-contentful-timestamp,a,a,a',
      'x-contentful-signed-headers names a header twice',
    ],
    [
      'a header that is named again and again, each time in other letters',
      'x-contentful-signed-headers,x-contentful-timestamp,a,A',
      'x-contentful-signed-headers names a header twice',
    ],
    ['a missing header', 'x,x-contentful-signed-headers,x-contentful-timestamp', 'signed header "x" is missing'],
    [
      'an empty header name',
      'x-contentful-signed-headers,,x-contentful-timestamp',
      'malformed x-contentful-signed-headers header',
    ],
  ])('Contentful: the result for %s', async (_, list, result) => expect(await send(list, { a: 'value' })).toBe(result))

  it('Contentful: the path of another webhook is rejected', async () => {
    const contentful = senders.find(({ name }) => name === 'Contentful')
    const { body, headers } = (contentful as Sender).sign(text('{}'), secret, clock)
    const verify = (options: object) => create(options)(new Uint8Array(body), new Headers(headers))
    expect(await verify({ path: '/api/revalidate?site=a%20b' })).toBe(true)
    expect(await verify({})).toBe('wrong signature')
  })
})

describe('Prismic', () => {
  const verify = (body: string | Uint8Array) =>
    verifyPrismic({ secret: 'hello of 16 bytes' })(
      new Uint8Array(typeof body === 'string' ? text(body) : body),
      new Headers(),
    )
  it.each([
    ['the secret', '{"secret":"hello of 16 bytes"}', true],
    ['another secret', '{"secret":"Hello of 16 bytes"}', 'wrong secret'],
    ['a prefix of it', '{"secret":"hello of 16 byte"}', 'wrong secret'],
    ['no secret', '{}', 'no secret in the body'],
    ['null as secret', '{"secret":null}', 'no secret in the body'],
    ['an empty secret', '{"secret":""}', 'no secret in the body'],
    ['an array as secret', '{"secret":["hello of 16 bytes"]}', 'no secret in the body'],
    ['an array as body', '["hello of 16 bytes"]', 'body is not a JSON object'],
    ['a string as body', '"hello of 16 bytes"', 'body is not a JSON object'],
    ['null as body', 'null', 'body is not a JSON object'],
    ['truncated JSON', '{"secret":"hello of 16 bytes"', 'body is not a JSON object'],
    ['an empty body', '', 'body is not a JSON object'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'body is not a JSON object'],
    ['a secret in __proto__', '{"__proto__":{"secret":"hello of 16 bytes"}}', 'no secret in the body'],
    ['deeply nested arrays', '['.repeat(30_000) + ']'.repeat(30_000), 'body is not a JSON object'],
  ])('Prismic: the result for %s', async (_, body, result) => expect(await verify(body)).toBe(result))
})

describe('Standard Webhooks', () => {
  it.each(['whsec_', 'whsec_!', 'not base64', 'whpk_AAAA', 'a', 'abcde', 'AAAA\n', 'AA==AA'])(
    'throws on the secret %j, which is not base64',
    (secret) =>
      expect(() => verifyStandardWebhook({ secret })).toThrow(
        "secret: expected base64, such as 'whsec_…', got another value; copy it as the sender shows it",
      ),
  )
})
