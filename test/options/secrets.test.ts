import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cloudflare, fastly } from '../../adapters/cdn/index.js'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { sharpService } from '../../adapters/sharp/index.js'
import * as webhooks from '../../adapters/webhooks/index.js'
import { createImageLoader, createImages } from '../../core/image/index.js'
import { createBearerVerifier } from '../../core/revalidate/authorize.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import { type Create, entries, optionsOf } from './entries.js'

const secret = 'S3CRET-of-the-site'
const hex = { key: 'ab', salt: 'cd' }
const logged: unknown[] = []
beforeEach(() => {
  logged.length = 0
  for (const level of ['warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...line) => void logged.push(line))
  }
})
afterEach(() => vi.restoreAllMocks())

const service = { serviceUrl: 'https://images.test', ...hex, sources: ['/media/'] }
const loader = createImageLoader({ sources: ['/media/'] })
const imageRequest = () => new Request(`https://site.test${loader({ src: '/media/a.jpg', width: 640 })}`)
const invalidate = () => {}
const any = (value: unknown) => value as never

/** What has a token of an API. */
const cdns = Object.keys(entries).filter(
  (name) => typeof entries[name] === 'function' && optionsOf(name)?.includes('token'),
)

const { contentSource: _, contentSources: __, ...verify } = webhooks
const verifiers = Object.values(verify)
const mistakes: [string, () => unknown][] = [
  ['serviceUrl with a query', () => createImageProxy({ ...service, serviceUrl: `https://x.test/?token=${secret}` })],
  ['serviceUrl with a password', () => createImageProxy({ ...service, serviceUrl: `https://u:${secret}@x.test` })],
  ['serviceUrl, no URL', () => createImageProxy({ ...service, serviceUrl: `http://u:${secret}@x.test:99999/` })],
  ['sources', () => createImageProxy({ ...service, sources: [`https://u:${secret}@cdn.test/`] })],
  [
    'sources of images',
    () =>
      createImages({
        sources: [`https://u:${secret}@c.test/`],
        service: imgproxy({ serviceUrl: 'https://x.test', ...hex }),
      }),
  ],
  [
    'sources of the service',
    () => createImages({ sources: { [`https://u:${secret}@cdn.test/`]: true }, service: sharpService() }),
  ],
  ['sourceBaseUrl', () => createImageProxy({ ...service, sourceBaseUrl: `https://u:${secret}@cdn.test/` })],
  ['serviceSecret', () => createImageProxy({ ...service, serviceSecret: `${secret}\n` })],
  ['key', () => createImageProxy({ ...service, key: secret })],
  ['secret', () => createRevalidateEndpoint({ secret: `${secret} ,`, invalidate })],
  ['secret of a verifier', () => createBearerVerifier(`${secret} ,`)],
  ...cdns.map((name): [string, () => unknown] => [name, () => (entries[name] as Create)(secret)]),
  ['token', () => fastly({ serviceId: 'a', token: `${secret}\n` })],
  ['serviceId, a token', () => fastly({ serviceId: `${secret}\n`, token: 'a' })],
  ...verifiers.map((verify): [string, () => unknown] => [verify.name, () => verify(any(secret))]),
]
it.each(mistakes)('an error does not show the secret: %s', (_, create) => {
  let error: unknown
  try {
    create()
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(TypeError)
  expect(inspect([error, logged], { depth: 9 })).not.toContain('S3CRET')
})

const echoes: [string, RegExp, () => Promise<unknown>][] = [
  [
    'a CDN',
    /HTTP 401: bad token \[secret\]/,
    () => {
      const send = async (request: Request) =>
        new Response(`bad token ${request.headers.get('Fastly-Key')}`, { status: 401 })
      return fastly({ serviceId: 'a', token: secret, fetch: send }).purge(['a'])
    },
  ],
  [
    'the call of a CDN',
    /cannot send Bearer \[secret\]/,
    () => {
      const send = async (request: Request) => {
        throw new Error(`cannot send ${request.headers.get('Authorization')}`)
      }
      return cloudflare({ zoneId: 'a', token: secret, fetch: send, timeout: 100 }).purge(['a'])
    },
  ],
  [
    'an image service',
    /says 'bad Bearer \[secret\]'/,
    async () => {
      const send = async ({ headers }: Request) => new Response(`bad ${headers.get('Authorization')}`, { status: 401 })
      await createImageProxy({ ...service, serviceSecret: secret, fetch: send })(imageRequest())
    },
  ],
  [
    'the call of an image service',
    /cannot send Bearer \[secret\]/,
    async () => {
      const send = async (request: Request) => {
        throw new Error(`cannot send ${request.headers.get('Authorization')}`)
      }
      await createImageProxy({ ...service, serviceSecret: secret, fetch: send })(imageRequest())
    },
  ],
  [
    'getTags of a payload with the secret',
    /cannot map {"secret":"\[secret\]"}/,
    async () => {
      const getTags = (payload: unknown) => {
        throw new Error(`cannot map ${JSON.stringify(payload)}`)
      }
      const verify = webhooks.verifyPrismic({ secret })
      await createRevalidateEndpoint({ verify, getTags, invalidate })(webhook())
    },
  ],
  [
    'the tags of a payload with the secret',
    /tags: \[ '\[secret\]' \]/,
    async () => {
      const verify = webhooks.verifyPrismic({ secret: ['another-secret-of-it', secret] })
      const getTags = (payload: unknown) => Object.values(payload as object)
      await createRevalidateEndpoint({ verify, getTags, invalidate: () => Promise.reject(new Error('down')) })(
        webhook(),
      )
    },
  ],
]
const webhook = () =>
  new Request('https://site.test/api/revalidate', { method: 'POST', body: JSON.stringify({ secret }) })

it.each(echoes)('a log does not show the secret that %s repeats', async (_, redacted, act) => {
  const error = await act().catch((thrown) => thrown)
  const text = inspect([error, logged], { depth: 9, breakLength: 1000 })
  expect(text).toMatch(redacted)
  expect(text).not.toContain('S3CRET')
})
