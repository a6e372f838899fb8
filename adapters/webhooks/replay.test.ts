import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRevalidateEndpoint, type VerifyRequest } from '../../core/revalidate/index.js'
import { verifyContentful, verifyPrismic, verifySanity, verifyStandardWebhook, verifyStoryblok } from './index.js'

const now = () => 1_800_000_000_000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now() }))
afterEach(() => void vi.useRealTimers())
const secret = 'c'.repeat(64)
const body = '{"_id":"page"}'
const hmac = (text: string, encoding: 'hex' | 'base64url' | 'base64', key: string | Buffer = secret) =>
  createHmac('sha256', key).update(text).digest(encoding)

const senders: Record<string, { verify: VerifyRequest; headersAt: (at: number) => Record<string, string> }> = {
  Sanity: {
    verify: verifySanity({ secret }),
    headersAt: (at) => ({ 'sanity-webhook-signature': `t=${at},v1=${hmac(`${at}.${body}`, 'base64url')}` }),
  },
  Contentful: {
    verify: verifyContentful({ secret }),
    headersAt(at) {
      const names = 'x-contentful-signed-headers,x-contentful-timestamp'
      const lines = `x-contentful-signed-headers:${names};x-contentful-timestamp:${at}`
      const signature = hmac(`POST\n/api/revalidate\n${lines}\n${body}`, 'hex')
      return {
        'x-contentful-signed-headers': names,
        'x-contentful-timestamp': String(at),
        'x-contentful-signature': signature,
      }
    },
  },
  'Standard Webhooks': {
    verify: verifyStandardWebhook({ secret: `whsec_${btoa(secret)}` }),
    headersAt(at) {
      const seconds = String(at / 1000)
      const signature = `v1,${hmac(`msg_1.${seconds}.${body}`, 'base64')}`
      return { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature }
    },
  },
  'Standard Webhooks of Svix': {
    verify: verifyStandardWebhook({ secret: `whsec_${btoa(secret)}` }),
    headersAt(at) {
      const seconds = String(at / 1000)
      const signature = `v1,${hmac(`msg_1.${seconds}.${body}`, 'base64')}`
      return { 'svix-id': 'msg_1', 'svix-timestamp': seconds, 'svix-signature': signature }
    },
  },
}

const requestWith = (headers: Record<string, string>) =>
  new Request('https://site.test/api/revalidate', { method: 'POST', headers, body })

describe.each(Object.entries(senders))('%s', (_, { verify, headersAt }) => {
  const create = (invalidate: () => unknown) => {
    const log = vi.fn()
    const endpoint = createRevalidateEndpoint({ verify, invalidate, log })
    const statusOf = async (headers: Record<string, string>) => (await endpoint(requestWith(headers)))?.status
    return { statusOf, log }
  }

  it('a delivery is accepted once', async () => {
    const invalidate = vi.fn()
    const { statusOf, log } = create(invalidate)
    expect(await statusOf(headersAt(now()))).toBe(200)
    expect(await statusOf(headersAt(now()))).toBe(401)
    expect(invalidate).toHaveBeenCalledOnce()
    expect(log.mock.calls).toEqual([
      [
        'Invalid token for revalidate request',
        { reason: 'delivered already', method: 'POST', path: '/api/revalidate' },
      ],
    ])
  })

  it('a delivery is accepted again if its invalidation failed', async () => {
    const invalidate = vi.fn().mockRejectedValueOnce(new Error('no Redis'))
    const { statusOf } = create(invalidate)
    expect(await statusOf(headersAt(now()))).toBe(503)
    expect(await statusOf(headersAt(now()))).toBe(200)
    expect(await statusOf(headersAt(now()))).toBe(401)
  })

  it('the second of two simultaneous deliveries waits for the first, and shares its failure', async () => {
    const succeeding = create(vi.fn())
    const statuses = [succeeding.statusOf(headersAt(now())), succeeding.statusOf(headersAt(now()))]
    expect((await Promise.all(statuses)).sort()).toEqual([200, 401])
    const failing = create(vi.fn().mockRejectedValueOnce(new Error('no Redis')))
    const again = [failing.statusOf(headersAt(now())), failing.statusOf(headersAt(now()))]
    expect(await Promise.all(again)).toEqual([503, 503])
    expect(await failing.statusOf(headersAt(now()))).toBe(200)
  })

  it('the same change signed at another time is accepted', async () => {
    const { statusOf } = create(vi.fn())
    expect(await statusOf(headersAt(now()))).toBe(200)
    expect(await statusOf(headersAt(now() - 2_000))).toBe(200)
  })
})

it.each([
  [
    'Sanity with white space in its header',
    'Sanity',
    'sanity-webhook-signature',
    (value: string) => value.replace(',', ', '),
  ],
  [
    'Standard Webhooks with another signature beside it',
    'Standard Webhooks',
    'webhook-signature',
    (value: string) => `${value} v1,AAAA`,
  ],
])('%s counts as the same delivery', async (_, name, header, change) => {
  const { verify, headersAt } = senders[name] as (typeof senders)[string]
  const endpoint = createRevalidateEndpoint({ verify, invalidate: () => {}, log: () => {} })
  const headers = headersAt(now())
  expect((await endpoint(requestWith(headers)))?.status).toBe(200)
  expect((await endpoint(requestWith({ ...headers, [header]: change(headers[header] as string) })))?.status).toBe(401)
})

it.each([
  ['Sanity', verifySanity],
  ['Storyblok', verifyStoryblok],
  ['Prismic', verifyPrismic],
])('%s: a secret of under 16 bytes is refused', (_, create) => {
  const error = 'secret: expected at least 16 bytes, got 15; use the output of `openssl rand -hex 32`'
  expect(() => create({ secret: 'a'.repeat(15) })).toThrow(new TypeError(error))
  expect(() => create({ secret: ['a'.repeat(16), 'é'.repeat(7)] })).toThrow('got 14')
  expect(() => create({ secret: 'é'.repeat(8) })).not.toThrow()
})

it('Standard Webhooks: a key of under 16 bytes is refused', () => {
  expect(() => verifyStandardWebhook({ secret: `whsec_${btoa('a'.repeat(15))}` })).toThrow(
    'expected at least 16 bytes, got 15',
  )
  expect(() => verifyStandardWebhook({ secret: `whsec_${btoa('a'.repeat(16))}` })).not.toThrow()
})
