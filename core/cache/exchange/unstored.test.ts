import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startCache } from '../testing/harness.js'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => void warn.mockReset().mockReturnValue(undefined))
afterEach(() => {
  vi.unstubAllEnvs()
})

const page = (headers: Record<string, string>, status = 200, body = 'page') => new Response(body, { headers, status })
const lifetime = { 'Cache-Control': 's-maxage=60' }
const never = 'Response cache: https://site.test/ is never stored. '

describe('a page that is never stored', () => {
  it.each<[string, Response, string]>([
    ['nothing', page({}), "Cache-Control: expected a lifetime, such as 's-maxage=60', or 'no-store', got none"],
    [
      'Set-Cookie',
      page({ ...lifetime, 'Set-Cookie': 'session=secret; HttpOnly' }),
      "Set-Cookie: expected none in a page for everyone, got 'session'; set it in another response, or send 'Cache-Control: private'",
    ],
    [
      'Vary: *',
      page({ ...lifetime, Vary: '*' }),
      "Vary: expected names of request fields, such as 'Accept-Language', got '*'",
    ],
    [
      'a body larger than maxBodyBytes',
      page(lifetime, 200, 'x'.repeat(11)),
      "maxBodyBytes: expected room for the body, got 10; raise it, or send 'no-store'",
    ],
    [
      'a body larger than maxBodyBytes, with its length',
      page({ ...lifetime, 'Content-Length': '11' }, 200, 'x'.repeat(11)),
      "maxBodyBytes: expected room for the body, got 10; raise it, or send 'no-store'",
    ],
  ])('because of %s: warns once of 1,000 requests', async (_, response, reason) => {
    const { serve, get } = startCache({ maxBodyBytes: 10 })
    serve(response)
    expect((await get()).status).toBe(200)
    for (let request = 1; request < 1_000; request++) await get(`/${request}`)
    expect(warn.mock.calls).toEqual([[never + reason]])
  })

  it('because of Authorization: says what to write', async () => {
    const { serve, get } = startCache()
    serve(page({ 'Cache-Control': 'max-age=60' }))
    for (let request = 0; request < 1_000; request++) await get('/', { authorization: 'Basic c2VjcmV0' })
    expect(warn.mock.calls).toEqual([
      [
        `${never}Cache-Control: expected 'public' or 's-maxage' in a page for everyone who has an Authorization, or 'private', got neither`,
      ],
    ])
  })

  it('names the page, at most 200 characters of it', async () => {
    const { serve, get } = startCache()
    serve(page({}))
    await get(`/${'a'.repeat(5_000)}`)
    const [[message]] = warn.mock.calls as [[string]]
    expect(message).toContain(`https://site.test/${'a'.repeat(182)}… is never stored`)
  })

  it.each<[string, Response]>([
    ['it may be stored', page(lifetime)],
    ['a validator makes it of use', page({ ETag: '"1"' })],
    ['private', page({ 'Cache-Control': 'private' })],
    ['private, with a cookie', page({ 'Cache-Control': 'private', 'Set-Cookie': 'a=1' })],
    ['no-store', page({ 'Cache-Control': 'no-store' })],
    ['a lifetime of 0', page({ 'Cache-Control': 'max-age=0' })],
    ['a targeted lifetime of 0', page({ 'CDN-Cache-Control': 'max-age=0' })],
    ['Expires in the past', page({ Expires: '0' })],
    ['an error', page({}, 500)],
    ['a redirect', page({ Location: '/b' }, 302)],
  ])('is no mistake when %s', async (_, response) => {
    const { serve, get } = startCache()
    serve(response)
    await get()
    expect(warn).not.toHaveBeenCalled()
  })

  it('is not told of requests that are no GET, nor in production', async () => {
    const { serve, get } = startCache()
    serve(page({}))
    await get('/', {}, { method: 'POST' })
    vi.stubEnv('NODE_ENV', 'production')
    await get()
    expect(warn).not.toHaveBeenCalled()
  })
})
