import { expect, it, vi } from 'vitest'
import { startCache } from '../cache/testing/harness.js'
import { createRevalidateEndpoint } from './index.js'
import { EndpointError } from './internal.js'

const secret = 'between-us'
const url = 'https://site.test/api/revalidate'

function start() {
  const site = startCache()
  const { invalidate, inspect } = site
  const endpoint = createRevalidateEndpoint({ secret, invalidate, inspect, log: () => {} })
  const ask = async (query: string, method = 'GET', headers: HeadersInit = { Authorization: `Bearer ${secret}` }) => {
    const response = await endpoint(new Request(url + query, { method, headers }))
    return { status: response?.status, answer: await response?.json() }
  }
  return { ...site, endpoint, ask }
}

it('GET with the token tells whether a page is live, of what it is made, and when it was purged last', async () => {
  const site = start()
  expect((await site.ask('?path=/a')).answer).toEqual({ url: 'https://site.test/a', state: 'missing' })
  await site.get('/a')
  const { status, answer } = await site.ask('?path=/a')
  expect([status, answer]).toEqual([
    200,
    {
      url: 'https://site.test/a',
      state: 'fresh',
      status: 200,
      renderedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      freshUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      tags: ['document', '/a'],
    },
  ])
  await site.ask('?path=/b', 'POST')
  expect((await site.ask('?path=/a')).answer).not.toHaveProperty('lastPurge')
  await site.ask('?path=/a', 'POST')
  expect((await site.ask('?path=/a')).answer).toMatchObject({ state: 'purged', lastPurge: { tags: ['/a'] } })
  expect(site.requests).toHaveLength(1)
})

it('a purge that failed is not the last one, until it is tried again and succeeds', async () => {
  vi.useFakeTimers()
  const { invalidate, inspect } = startCache()
  const failing = vi.fn(invalidate)
  const options = { secret, inspect, invalidate: failing, log: () => {} }
  const endpoint = createRevalidateEndpoint(options)
  const ask = async (method: string) => {
    const headers = { Authorization: `Bearer ${secret}` }
    return (await endpoint(new Request(`${url}?path=/a`, { method, headers })))?.json()
  }
  for (const status of [503, 207]) {
    failing.mockRejectedValueOnce(new EndpointError(status, 'Not revalidated: /a'))
    expect(await ask('POST')).toEqual({ error: 'Not revalidated: /a', revalidated: false, tags: ['/a'] })
    expect(await ask('GET')).not.toHaveProperty('lastPurge')
  }
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await ask('GET')).toMatchObject({ lastPurge: { tags: ['/a'] } })
  expect(failing).toHaveBeenCalledTimes(3)
  vi.useRealTimers()
})

it.each([
  ['no path', '', 'GET', undefined, 400],
  ['another site', '?path=//evil.test/', 'GET', undefined, 400],
  ['a URL', '?path=https://evil.test/', 'GET', undefined, 400],
  ['no token', '?path=/a', 'GET', {}, 401],
  ['a wrong token', '?path=/a', 'GET', { Authorization: 'Bearer guessed' }, 401],
  ['a wrong token of a browser', '?path=/a', 'GET', { Authorization: 'Bearer guessed', Accept: 'text/html' }, 401],
  ['HEAD', '?path=/a', 'HEAD', undefined, 405],
])('a question with %s is refused', async (_, query, method, headers, status) => {
  const response = await start().endpoint(
    new Request(url + query, { method, headers: headers ?? { Authorization: `Bearer ${secret}` } }),
  )
  expect(response?.status).toBe(status)
})

it('a browser that opens the endpoint gets a page without any secret, whose policy allows its own script alone', async () => {
  const { endpoint } = start()
  const page = await endpoint(new Request(url, { headers: { Accept: 'text/html,*/*;q=0.8' } }))
  expect([page?.status, page?.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(page?.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'/,
  )
  expect(await page?.text()).not.toContain(secret)
})

it.each([
  ['allowGet', { secret, allowGet: true }],
  ['verify', { verify: () => true }],
])('inspect beside %s is an error', (_, options) => {
  const { inspect, invalidate } = startCache()
  expect(() => createRevalidateEndpoint({ invalidate, inspect, ...options })).toThrow('inspect: expected an endpoint')
})
