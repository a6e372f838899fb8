import { describe, expect, it } from 'vitest'
import { type PolicyOptions, planStorage } from './policy.js'

const now = Date.UTC(2026, 0, 1)
const at = (seconds: number) => new Date(now + seconds * 1000).toUTCString()

type Overrides = Partial<PolicyOptions & { status: number }>

function plan(headers: Record<string, string>, { status = 200, ...options }: Overrides = {}) {
  const isCovered = (name: string) => ['accept', 'cookie', 'accept-encoding'].includes(name)
  const defaults = { targets: ['CDN-Cache-Control'], isCovered, now, delay: 0 }
  return planStorage({ status, headers: new Headers(headers) }, { ...defaults, ...options })
}

describe('what may be stored (RFC 9111, section 3)', () => {
  const fresh = { 'Cache-Control': 'max-age=60' }
  type Row = [string, Record<string, string>, Overrides, string | undefined]
  const table: Row[] = [
    ['max-age', fresh, {}, undefined],
    ['s-maxage', { 'Cache-Control': 's-maxage=60' }, {}, undefined],
    ['Expires', { Expires: at(60), Date: at(0) }, {}, undefined],
    ['no field', {}, {}, 'no-lifetime'],
    ['max-age=0 and no validator', { 'Cache-Control': 'max-age=0' }, {}, 'no-lifetime'],
    ['max-age=0 and a validator', { 'Cache-Control': 'max-age=0', ETag: '"1"' }, {}, 'no-lifetime'],
    ['a validator alone', { 'Last-Modified': at(-60) }, {}, 'no-lifetime'],
    ['no-cache and a validator', { 'Cache-Control': 'no-cache, max-age=60', ETag: '"1"' }, {}, 'no-cache'],
    ['no-cache for one field', { 'Cache-Control': 'no-cache="x", max-age=60' }, {}, undefined],
    ['stale-while-revalidate alone', { 'Cache-Control': 'max-age=0, stale-while-revalidate=9' }, {}, undefined],
    ['stale-if-error alone', { 'Cache-Control': 'max-age=0, stale-if-error=9' }, {}, undefined],
    [
      'stale-if-error, which must-revalidate forbids',
      { 'Cache-Control': 'max-age=0, stale-if-error=9, must-revalidate' },
      {},
      'no-lifetime',
    ],
    ['an Age beyond its lifetime', { ...fresh, Age: '61' }, {}, 'no-lifetime'],
    ['no-store', { 'Cache-Control': 'no-store, max-age=60' }, {}, 'no-store'],
    ['private', { 'Cache-Control': 'private, max-age=60' }, {}, 'private'],
    ['private for one field', { 'Cache-Control': 'private="x", max-age=60' }, {}, undefined],
    ['Set-Cookie', { ...fresh, 'Set-Cookie': 'a=b' }, {}, 'set-cookie'],
    ['Set-Cookie and public', { 'Cache-Control': 'public, max-age=60', 'Set-Cookie': 'a=b' }, {}, 'set-cookie'],
    ['Vary: *', { ...fresh, Vary: 'a, *' }, {}, 'vary-*'],
    ['Vary of fields that the key covers', { ...fresh, Vary: 'Accept, Cookie' }, {}, undefined],
    ['Vary of another field', { ...fresh, Vary: 'Accept, X-Theme' }, {}, 'vary-x-theme'],
    ...[203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 451, 499].map(
      (status): Row => [`status ${status} and a lifetime`, fresh, { status }, undefined],
    ),
    ...[206, 304, 408, 425, 429, 500, 501, 502, 503, 504, 599].map(
      (status): Row => [`status ${status} and a lifetime`, fresh, { status }, 'status'],
    ),
    ['status 404 and no lifetime', { ETag: '"1"' }, { status: 404 }, 'no-lifetime'],
  ]
  it.each(table)('planStorage is right for a response with %s', (_, headers, overrides, refusal) =>
    expect(plan(headers, overrides).refusal).toBe(refusal),
  )
})

describe('the freshness lifetime (RFC 9111, section 4.2.1)', () => {
  const table: [string, Record<string, string>, number | undefined][] = [
    ['s-maxage over max-age', { 'Cache-Control': 'max-age=1, s-maxage=60' }, 60],
    ['s-maxage over max-age, shorter', { 'Cache-Control': 's-maxage=1, max-age=60' }, 1],
    ['max-age over a past Expires', { 'Cache-Control': 'max-age=60', Expires: at(-60) }, 60],
    ['max-age over an invalid Expires', { 'Cache-Control': 'max-age=60', Expires: '0' }, 60],
    ['max-age=0 over a future Expires', { 'Cache-Control': 'max-age=0', Expires: at(60) }, undefined],
    ['an unreadable max-age over a future Expires', { 'Cache-Control': 'max-age=x', Expires: at(60) }, undefined],
    ['Expires by Date', { Expires: at(60), Date: at(-10) }, 70],
    ['Expires without Date', { Expires: at(60) }, 60],
    ['Expires twice', { Expires: `${at(60)}, ${at(60)}` }, undefined],
    ['an enormous max-age', { 'Cache-Control': 'max-age=99999999999' }, 2 ** 31],
    ['max-age beside immutable', { 'Cache-Control': 'immutable, max-age=5' }, 5],
    ['max-age beside proxy-revalidate', { 'Cache-Control': 'proxy-revalidate, max-age=5' }, 5],
  ]
  it.each(table)('the lifetime is right for %s', (_, headers, lifetime) =>
    expect(plan(headers).terms?.lifetime).toBe(lifetime),
  )
})

describe('the age (RFC 9111, sections 4.2.3 and 5.1)', () => {
  const table: [string, Record<string, string>, number, number][] = [
    ['a response without Age and Date', {}, 0, 0],
    ['a delayed response', {}, 2, 2],
    ['Age', { Age: '30' }, 2, 32],
    ['Date', { Date: at(-20) }, 0, 20],
    ['a Date in the future', { Date: at(3600) }, 0, 0],
    ['an Age and an earlier Date', { Age: '10', Date: at(-20) }, 0, 20],
    ['a negative Age', { Age: '-7200' }, 0, 0],
    ['an Age that is not a number', { Age: 'abc' }, 0, 0],
    ['an Age with a fraction', { Age: '7200.0' }, 0, 0],
    ['several ages, of which the first one counts', { Age: '20, 0' }, 0, 20],
    ['an enormous Age', { Age: '9'.repeat(30) }, 0, 2 ** 31],
  ]
  it.each(table)('the age is right for %s', (_, headers, delay, age) => {
    const terms = plan({ 'Cache-Control': 'max-age=3600', ETag: '"1"', ...headers }, { delay }).terms
    if (age < 2 ** 31) expect(terms?.initialAge).toBe(age)
    else expect(terms).toBeUndefined()
  })
})

describe('CDN-Cache-Control (RFC 9213)', () => {
  const table: [string, Record<string, string>, number | undefined][] = [
    ['beside Cache-Control', { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'max-age=1' }, 60],
    ['beside no-store', { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'no-store' }, undefined],
    ['beside Expires', { 'CDN-Cache-Control': 'max-age=60', Expires: at(1) }, 60],
    ['without a lifetime, beside Expires', { 'CDN-Cache-Control': 'foo', Expires: at(60) }, undefined],
    ['of no-store', { 'CDN-Cache-Control': 'no-store', 'Cache-Control': 'max-age=60' }, undefined],
    ['of private', { 'CDN-Cache-Control': 'private', 'Cache-Control': 'max-age=60' }, undefined],
    [
      'that is malformed, and therefore ignored',
      { 'CDN-Cache-Control': 'max-age=60, &', 'Cache-Control': 'max-age=1' },
      1,
    ],
    ['that is empty, and therefore ignored', { 'CDN-Cache-Control': '', 'Cache-Control': 'max-age=1' }, 1],
  ]
  it.each(table)('the lifetime is right for a CDN-Cache-Control %s', (_, headers, lifetime) =>
    expect(plan(headers).terms?.lifetime).toBe(lifetime),
  )
  it('the first of several targets decides the lifetime', () => {
    const headers = { 'My-Cache-Control': 'max-age=5', 'CDN-Cache-Control': 'max-age=60' }
    expect(plan(headers, { targets: ['My-Cache-Control', 'CDN-Cache-Control'] }).terms?.lifetime).toBe(5)
    expect(plan(headers, { targets: [] }).terms).toBeUndefined()
  })
})
