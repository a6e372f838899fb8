import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyStandardWebhook } from './index.js'
import { createSanityVerifier } from './sanity.js'

afterEach(() => void vi.useRealTimers())
const bytes = (text: string) => new TextEncoder().encode(text)

describe('the test vectors of @sanity/webhook', () => {
  // https://github.com/sanity-io/webhook-toolkit/blob/main/test/signature.test.ts
  const valid = 't=1633519811129,v1=tLa470fx7qkLLEcMOcEUFuBbRSkGujyskxrNXcoh0N0'
  const resume = '{"_id":"resume"}'
  const table: [string, string, string, string, true | string][] = [
    ['valid', 'test', resume, valid, true],
    ['with a space', 'test', resume, valid.replace(',', ', '), true],
    [
      'another one',
      'try-me',
      '{"title":"GROQ-Hooks are neat"}',
      't=1633518820676,v1=e7C9h2sfbFfc4V7TEz7PSOp4IoNzl0UdVsBV-1wgdeA',
      true,
    ],
    ['another time', 'test', resume, valid.replace('129', '128'), 'wrong signature'],
    ['another hash', 'test', resume, valid.replace(/0$/, '1'), 'wrong signature'],
    ['another payload', 'test', '{"_id":"structure"}', valid, 'wrong signature'],
    ['another version', 'test', resume, valid.replace('v1', 'v5'), 'malformed sanity-webhook-signature header'],
  ]
  it.each(table)('the test vector of @sanity/webhook, %s', async (_, secret, body, signature, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Number(/\d+/.exec(signature)?.[0]) })
    const headers = new Headers({ 'sanity-webhook-signature': signature })
    expect(await createSanityVerifier([bytes(secret)])(bytes(body), headers)).toBe(expected)
  })
})

describe('the test vector of Standard Webhooks', () => {
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/webhook.test.ts
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_614_265_330_000 }))
  const body = '{"test": 2432232314}'
  const valid = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  const otherSignature = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='
  const verify = (signature: string, changed: Record<string, string> = {}, text = body, secrets = secret) =>
    verifyStandardWebhook({ secret: secrets })(
      bytes(text),
      new Headers({
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': signature,
        ...changed,
      }),
    )

  it('the test vector of Standard Webhooks is valid, with whsec_ and without', async () => {
    expect(await verify(valid)).toBe(true)
    expect(await verify(valid, {}, body, `whsec_${secret}`)).toBe(true)
  })

  it.each([
    ['among others', `${otherSignature} ${valid.replace('v1', 'v2')} ${valid} ${otherSignature}`, true],
    ['not among others', `${otherSignature} ${otherSignature}`, 'wrong signature'],
    ['of the asymmetric scheme only', `v1a,${valid.slice(3)}`, 'no v1 signature'],
    ['of another version', valid.replace('v1', 'v2'), 'no v1 signature'],
    ['truncated', valid.slice(0, 8), 'wrong signature'],
    ['without a value', 'v1,', 'malformed webhook-signature header'],
    ['without a version', valid.slice(3), 'malformed webhook-signature header'],
    ['in two headers', `${otherSignature}, ${valid}`, 'malformed webhook-signature header'],
    ['with two spaces', `${otherSignature}  ${valid}`, 'malformed webhook-signature header'],
    ['url-safe', valid.replaceAll('+', '-').replaceAll('/', '_'), 'wrong signature'],
  ])('a signature %s', async (_, signature, expected) => expect(await verify(signature)).toBe(expected))

  it.each([
    ['another id', { 'webhook-id': 'msg_x' }, 'wrong signature'],
    ['an empty id', { 'webhook-id': '' }, 'no webhook-id header'],
    ['two ids', { 'webhook-id': 'a, a' }, 'malformed webhook-id header'],
    ['an id with a full stop', { 'webhook-id': 'a.1614265330' }, 'malformed webhook-id header'],
    ['another timestamp', { 'webhook-timestamp': '1614265331' }, 'wrong signature'],
    ['an empty timestamp', { 'webhook-timestamp': '' }, 'no webhook-timestamp header'],
    ['a timestamp that is not a number', { 'webhook-timestamp': 'hello' }, 'malformed webhook-timestamp header'],
    ['a negative timestamp', { 'webhook-timestamp': '-1614265330' }, 'malformed webhook-timestamp header'],
    ['a fractional timestamp', { 'webhook-timestamp': '1614265330.0' }, 'malformed webhook-timestamp header'],
    ['two timestamps', { 'webhook-timestamp': '1614265330, 1614265330' }, 'malformed webhook-timestamp header'],
    ['a timestamp of 12 digits', { 'webhook-timestamp': '161426533000' }, /^signed \d+ s in the future/],
  ])('the test vector of Standard Webhooks with %s is rejected', async (_, changed, expected) => {
    const result = await verify(valid, changed)
    if (typeof expected === 'string') expect(result).toBe(expected)
    else expect(result).toMatch(expected)
  })
})
