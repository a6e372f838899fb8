import { describe, expect, it } from 'vitest'
import { memoryTagIndex, type PurgeState, type Stamp } from '../../core/cache/index.js'
import { createRevalidateRoute, type RevalidateProfile, type RevalidateRouteSettings } from './revalidate.js'

it.each(['max', 'default', { expire: 0 }, 'our-own'] as RevalidateProfile[])('accepts the profile %j', (profile) => {
  expect(createRevalidateRoute({ secret: 'a', profile: profile as 'max', profiles: ['our-own'] })).toHaveProperty(
    'POST',
  )
})

it.each(['maximum', '', { expire: -1 }, { expire: Number.NaN }] as RevalidateProfile[])(
  'throws on the profile %j, which revalidateTag itself accepts silently',
  (profile) => {
    expect(() => createRevalidateRoute({ secret: 'a', profile: profile as 'max' })).toThrow(/^profile: /)
  },
)

it('a profile that does not exist is a type error, unless its name comes from elsewhere', () => {
  const [fromElsewhere] = ['our-own'] as [string]
  expect(() => [
    createRevalidateRoute({ profile: 'hours' }),
    createRevalidateRoute({ profile: { expire: 0 } }),
    createRevalidateRoute({ profile: 'our-own', profiles: ['our-own'] }),
    createRevalidateRoute({ profile: fromElsewhere, profiles: [fromElsewhere] }),
  ]).not.toThrow()
  // @ts-expect-error no profile of Next.js
  expect(() => createRevalidateRoute({ profile: 'hour' })).toThrow(/^profile: expected one of /)
  // @ts-expect-error no profile of the site
  expect(() => createRevalidateRoute({ profile: 'own', profiles: ['our-own'] })).toThrow(/^profile: expected one of /)
  // @ts-expect-error a signature is verified in place of a secret
  expect(() => createRevalidateRoute({ secret: 'a', verify: () => true })).toThrow(/^secret, verify: expected one/)
})

it('answers every method itself, and rejects requests before it calls Next.js', async () => {
  const { GET, POST } = createRevalidateRoute({ secret: 'between-us', log: () => {} })
  const url = 'http://site.test/api/revalidate'
  expect((await GET(new Request(url))).headers.get('allow')).toBe('POST')
  expect((await POST(new Request(url, { method: 'POST' }))).status).toBe(401)
  expect((await POST(new Request('http://site.test/elsewhere', { method: 'POST' }))).status).toBe(404)
})

it('answers 503 when Next.js cannot revalidate', async () => {
  const { POST } = createRevalidateRoute({ secret: 'between-us', log: () => {} })
  // Outside of a request of Next.js, revalidateTag throws.
  const headers = { Authorization: 'Bearer between-us' }
  const response = await POST(new Request('http://site.test/api/revalidate', { method: 'POST', headers }))
  expect([response.status, await response.json()]).toEqual([503, { error: 'Revalidation failed', revalidated: false }])
})

describe('with a tag index', () => {
  const post = async (options: Partial<RevalidateRouteSettings>) => {
    const { POST } = createRevalidateRoute<string>({ secret: 'between-us', log: () => {}, ...options })
    const headers = { Authorization: 'Bearer between-us' }
    const response = await POST(new Request('http://site.test/api/revalidate', { method: 'POST', headers }))
    return [response.status, await response.json()]
  }

  it.each<[RevalidateProfile | undefined, PurgeState]>([
    [undefined, 'soft'],
    ['max', 'soft'],
    ['default', 'soft'],
    [{ expire: 31536000 }, 'soft'],
    ['hours', 'hard'],
    ['our-own', 'hard'],
    [{ expire: 3600 }, 'hard'],
    [{ expire: 0 }, 'hard'],
  ])('the profile %j purges it before the response: %s', async (profile, purge) => {
    const tagIndex = memoryTagIndex()
    const stamp = (await tagIndex.stamp()) as Stamp
    expect(await post({ tagIndex, profile, profiles: ['our-own'] })).toEqual([200, { revalidated: true }])
    expect(tagIndex.purgedSince(stamp, ['document'])).toBe(purge)
    expect(tagIndex.purgedSince(stamp, ['other'])).toBe('none')
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['throws', () => expect.fail('down')],
    ['hangs', () => new Promise<never>(() => {})],
  ])('that %s, it answers 503', async (_, purge) => {
    expect(await post({ tagIndex: { ...memoryTagIndex(), purge }, timeout: 50 })).toEqual([
      503,
      { error: 'Revalidation failed', revalidated: false },
    ])
  })
})
