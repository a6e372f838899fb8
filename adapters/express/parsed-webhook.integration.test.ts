import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
// @ts-expect-error the alias of Express 4 has no types
import express4 from 'express4'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import { listen } from '../../test/adapter/listen.js'
import { verifyStoryblok } from '../webhooks/index.js'
import { expressMiddleware } from './index.js'

const secret = 'a-secret-of-the-webhook'
const hint =
  'a body parser has read the body before, and what was signed is gone: mount the endpoint before the parser, app.use(expressMiddleware(revalidate)) above app.use(express.json())'
const body = '{ "action": "published" }'
const sign = (text: string) => createHmac('sha1', secret).update(text).digest('hex')

const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(closes.splice(0).map((close) => close()))
})

type Use = (app: express.Express, create: typeof express) => void

describe.each<[string, typeof express]>([
  ['Express 5', express],
  ['Express 4', express4],
])('a signed webhook on %s', (_, create) => {
  const send = async (use: Use, text = body, signature = sign(text), type = 'application/json') => {
    const [log, app] = [vi.fn(), create()]
    const verify = verifyStoryblok({ secret })
    use(app, create)
    app.use(expressMiddleware(createRevalidateEndpoint({ verify, invalidate: () => {}, log })))
    const { url, close } = await listen(createServer(app))
    closes.push(close)
    const headers = { 'Webhook-Signature': signature, 'Content-Type': type }
    const response = await fetch(`${url}/api/revalidate`, { method: 'POST', headers, body: text })
    return { status: response.status, answer: await response.json(), log }
  }
  const json: Use = (app, { json }) => app.use(json())
  const invalid = { error: 'Invalid token', revalidated: false }

  it('a signed webhook after a body parser fails, and the log and a warning in development say why', async () => {
    const { status, answer, log } = await send(json)
    expect([status, answer]).toEqual([401, { ...invalid, hint }])
    expect(log.mock.calls).toEqual([
      [
        'Invalid token for revalidate request',
        { reason: `wrong signature; ${hint}`, method: 'POST', path: '/api/revalidate' },
      ],
    ])
  })

  it('in production, only the log says why a signed webhook after a body parser fails', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { answer, log } = await send(json)
    expect(answer).toEqual(invalid)
    expect(log.mock.calls[0]?.[1].reason).toBe(`wrong signature; ${hint}`)
  })

  it('the log also says why if a middleware has read the body and not kept it', async () => {
    const { answer } = await send((app) => {
      app.use((req, _res, next) => void req.resume().once('end', () => next()))
    })
    expect(answer).toEqual({ ...invalid, hint })
  })

  it.each<[string, Use, string, string]>([
    ['no parser has read', () => {}, sign('another'), 'application/json'],
    ['a parser for another type has left alone', json, sign('another'), 'text/plain'],
    [
      'express.raw() has read',
      (app, { raw }) => app.use(raw({ type: () => true })),
      sign('another'),
      'application/json',
    ],
    ['has no signature', json, '', 'application/json'],
  ])('the log does not blame a parser for a body that %s', async (_, use, signature, type) => {
    const { status, answer, log } = await send(use, body, signature, type)
    expect([status, answer]).toEqual([401, invalid])
    expect(log.mock.calls[0]?.[1].reason).not.toContain('parser')
  })

  it.each<[string, Use]>([
    ['before a parser', () => {}],
    ['after express.raw()', (app, { raw }) => app.use(raw({ type: () => true }))],
    [
      'after a parser that keeps the bytes as rawBody',
      (app, { json }) => app.use(json({ verify: (req, _res, bytes) => Object.assign(req, { rawBody: bytes }) })),
    ],
  ])('a signed webhook works %s', async (_, use) => {
    expect((await send(use)).answer).toEqual({ revalidated: true })
  })

  it('a signed webhook works after a parser if the sender writes JSON as JavaScript does', async () => {
    expect((await send(json, '{"action":"published"}')).answer).toEqual({ revalidated: true })
  })
})
