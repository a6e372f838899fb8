import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import { verifyContentful, verifySanity, verifyStandardWebhook } from '../../adapters/webhooks/index.js'
import { createRevalidateEndpoint, type VerifyRequest } from '../../core/revalidate/index.js'
import { installPackages } from '../setup/install-packages.js'

// Requests signed by the vendors' own packages.

const load = (name: string) => import(createRequire(import.meta.url).resolve(name))
const body = JSON.stringify({ _id: 'page', title: 'grüße' })
const path = '/api/revalidate'
const base64Secret = `whsec_${btoa('a'.repeat(24))}`
const contentfulSecret = 'c'.repeat(64)

beforeAll(() => installPackages(import.meta.dirname), 120_000)

interface Sender {
  verify: VerifyRequest
  sign(): Promise<Record<string, string>>
}

const senders: Record<string, Sender> = {
  '@sanity/webhook': {
    verify: verifySanity({ secret: 'between us and no one' }),
    async sign() {
      const { encodeSignatureHeader, SIGNATURE_HEADER_NAME } = await load('@sanity/webhook')
      return { [SIGNATURE_HEADER_NAME]: await encodeSignatureHeader(body, Date.now(), 'between us and no one') }
    },
  },
  '@contentful/node-apps-toolkit': {
    verify: verifyContentful({ secret: contentfulSecret }),
    async sign() {
      const { signRequest } = await load('@contentful/node-apps-toolkit')
      const headers = { 'X-Contentful-Topic': 'ContentManagement.Entry.publish' }
      return { ...headers, ...signRequest(contentfulSecret, { method: 'POST', path, headers, body }, Date.now()) }
    },
  },
  standardwebhooks: {
    verify: verifyStandardWebhook({ secret: base64Secret }),
    async sign() {
      const { Webhook } = await load('standardwebhooks')
      const at = new Date()
      return {
        'webhook-id': 'msg_1',
        'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
        'webhook-signature': new Webhook(base64Secret).sign('msg_1', at, body),
      }
    },
  },
  svix: {
    verify: verifyStandardWebhook({ secret: base64Secret }),
    async sign() {
      const { Webhook } = await load('svix')
      const at = new Date()
      return {
        'svix-id': 'msg_1',
        'svix-timestamp': `${Math.floor(at.getTime() / 1000)}`,
        'svix-signature': new Webhook(base64Secret).sign('msg_1', at, body),
      }
    },
  },
}

it.each(Object.keys(senders))('a request signed by %s purges, and one that was changed does not', async (name) => {
  const { verify, sign } = senders[name] as Sender
  const purged: string[][] = []
  const invalidate = (tags: string[]) => purged.push(tags)
  const revalidate = createRevalidateEndpoint({ verify, invalidate, log: () => {} })
  const headers = await sign()
  const send = async (text: string) =>
    (await revalidate(new Request(`https://site.test${path}`, { method: 'POST', headers, body: text })))?.status
  expect(await send(body.replace('page', 'menu'))).toBe(401)
  expect(purged).toEqual([])
  expect(await send(body)).toBe(200)
  expect(purged).toEqual([['document']])
})
