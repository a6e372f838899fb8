import { describe, expect, it } from 'vitest'
import { type PolicyOptions, planStorage, type StorageRequest } from './policy.js'

const now = Date.UTC(2026, 0, 1)
const at = (seconds: number) => new Date(now + seconds * 1000).toUTCString()

function plan(headers: Record<string, string>, given: Partial<StorageRequest & PolicyOptions> = {}) {
  const { targets = ['CDN-Cache-Control'], heuristic = 0, storeErrors = false, ...exchange } = given
  const whole = {
    authorized: false,
    noStore: false,
    isOfClient: () => false,
    status: 200,
    now,
    delay: 0,
    ...exchange,
    headers: new Headers(headers),
  }
  return planStorage(whole, { targets, heuristic, storeErrors })
}

describe('what may be stored (RFC 9111, section 3)', () => {
  const fresh = { 'Cache-Control': 'max-age=60' }
  const table: [string, Record<string, string>, Partial<StorageRequest & PolicyOptions>, boolean][] = [
    ['max-age', fresh, {}, true],
    ['s-maxage', { 'Cache-Control': 's-maxage=60' }, {}, true],
    ['Expires', { Expires: at(60), Date: at(0) }, {}, true],
    ['nothing', {}, {}, false],
    ['max-age=0 and no validator', { 'Cache-Control': 'max-age=0' }, {}, false],
    ['max-age=0 and a validator', { 'Cache-Control': 'max-age=0', ETag: '"1"' }, {}, true],
    ['a validator alone', { 'Last-Modified': at(-60) }, {}, true],
    ['no-cache and a validator', { 'Cache-Control': 'no-cache', ETag: '"1"' }, {}, true],
    ['stale-while-revalidate alone', { 'Cache-Control': 'max-age=0, stale-while-revalidate=9' }, {}, true],
    ['no-store', { 'Cache-Control': 'no-store, max-age=60' }, {}, false],
    ['private', { 'Cache-Control': 'private, max-age=60' }, {}, false],
    ['private for one field', { 'Cache-Control': 'private="x", max-age=60' }, {}, true],
    ['request no-store', fresh, { noStore: true }, false],
    ['Set-Cookie', { ...fresh, 'Set-Cookie': 'a=b' }, {}, false],
    ['Set-Cookie and public', { 'Cache-Control': 'public, max-age=60', 'Set-Cookie': 'a=b' }, {}, false],
    [
      'Set-Cookie that is kept back',
      { 'Cache-Control': 'no-cache="Set-Cookie", max-age=60', 'Set-Cookie': 'a=b' },
      {},
      true,
    ],
    ['Vary: *', { ...fresh, Vary: 'a, *' }, {}, false],
    ['must-understand, understood', { 'Cache-Control': 'must-understand, no-store, max-age=60' }, {}, true],
    ['must-understand, not understood', { 'Cache-Control': 'must-understand, max-age=60' }, { status: 299 }, false],
    ...[203, 204, 299, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 502, 503, 504].map(
      (status): [string, Record<string, string>, Partial<StorageRequest>, boolean] => [
        `${status} with a lifetime`,
        fresh,
        { status },
        true,
      ],
    ),
    ...[400, 401, 403, 406, 413, 421, 429, 431, 451, 499, 500, 501, 505, 599].flatMap((status) =>
      [false, true].map(
        (storeErrors): [string, Record<string, string>, Partial<StorageRequest & PolicyOptions>, boolean] => [
          `${status} with a lifetime, storeErrors ${storeErrors}`,
          fresh,
          { status, storeErrors },
          storeErrors,
        ],
      ),
    ),
    ...[404, 405, 410, 414, 502, 503, 504].flatMap((status) =>
      [false, true].map(
        (storeErrors): [string, Record<string, string>, Partial<StorageRequest & PolicyOptions>, boolean] => [
          `${status} to an request of one client, storeErrors ${storeErrors}`,
          fresh,
          { status, storeErrors, isOfClient: () => true },
          storeErrors,
        ],
      ),
    ),
    ['200 to an request of one client', fresh, { isOfClient: () => true }, true],
    ['206', fresh, { status: 206 }, false],
    ['304', fresh, { status: 304 }, false],
    ['404 without a lifetime', { ETag: '"1"' }, { status: 404 }, true],
    ['302 without a lifetime', { ETag: '"1"' }, { status: 302 }, false],
    ['500 without a lifetime', { ETag: '"1"' }, { status: 500 }, false],
  ]
  it.each(table)('%s', (_, headers, given, stored) => expect(plan(headers, given).terms !== undefined).toBe(stored))
})

// A framework that keeps the fields of a route that has failed: Hono's `c.header()` before the error.
it.each([500, 502, 503, 504])('a %s is kept for ten seconds at most, whatever it states', (status) => {
  const storeErrors = true
  const headers = { 'Cache-Control': 's-maxage=86400, stale-while-revalidate=86400, stale-if-error=9', ETag: '"1"' }
  expect(plan(headers, { status, storeErrors }).terms).toMatchObject({
    lifetime: 10,
    staleWhileRevalidate: 0,
    staleIfError: 0,
    ttl: 10,
  })
  expect(plan({ 'Cache-Control': 's-maxage=5' }, { status, storeErrors }).terms?.lifetime).toBe(5)
  expect(plan(headers, { status: 404 }).terms?.lifetime).toBe(86_400)
})

describe('Authorization (RFC 9111, section 3.5)', () => {
  it.each([
    ['max-age=60', false],
    ['public, max-age=60', true],
    ['s-maxage=60', true],
    ['must-revalidate, max-age=60', true],
    ['proxy-revalidate, max-age=60', false],
  ])('%s', (field, stored) => {
    expect(plan({ 'Cache-Control': field }, { authorized: true }).terms !== undefined).toBe(stored)
    expect(plan({ 'Cache-Control': field }).terms?.allowsAuthorization).toBe(stored)
  })
})

describe('freshness lifetime (RFC 9111, section 4.2.1)', () => {
  const table: [string, Record<string, string>, number][] = [
    ['s-maxage over max-age', { 'Cache-Control': 'max-age=1, s-maxage=60' }, 60],
    ['s-maxage over max-age, shorter', { 'Cache-Control': 's-maxage=1, max-age=60' }, 1],
    ['max-age over a past Expires', { 'Cache-Control': 'max-age=60', Expires: at(-60) }, 60],
    ['max-age over an invalid Expires', { 'Cache-Control': 'max-age=60', Expires: '0' }, 60],
    ['max-age=0 over a future Expires', { 'Cache-Control': 'max-age=0', Expires: at(60), ETag: '"1"' }, 0],
    ['an unreadable max-age over a future Expires', { 'Cache-Control': 'max-age=x', Expires: at(60), ETag: '"1"' }, 0],
    ['Expires by Date', { Expires: at(60), Date: at(-10) }, 70],
    ['Expires without Date', { Expires: at(60) }, 60],
    ['Expires twice', { Expires: `${at(60)}, ${at(60)}`, ETag: '"1"' }, 0],
    ['enormous', { 'Cache-Control': 'max-age=99999999999' }, 2 ** 31],
    ['immutable does not prolong', { 'Cache-Control': 'immutable, max-age=5' }, 5],
    ['proxy-revalidate does not shorten', { 'Cache-Control': 'proxy-revalidate, max-age=5' }, 5],
  ]
  it.each(table)('%s', (_, headers, lifetime) => expect(plan(headers).terms?.lifetime).toBe(lifetime))

  it('by heuristics only when asked (section 4.2.2)', () => {
    const headers = { 'Last-Modified': at(-1000), Date: at(0) }
    expect(plan(headers).terms?.lifetime).toBe(0)
    expect(plan(headers, { heuristic: 0.1 }).terms?.lifetime).toBe(100)
    expect(plan(headers, { heuristic: 0.1, storeErrors: true, status: 599 }).terms).toBeUndefined()
    expect(
      plan({ ...headers, 'Cache-Control': 'public' }, { heuristic: 0.1, storeErrors: true, status: 599 }).terms
        ?.lifetime,
    ).toBe(100)
  })
})

describe('age (RFC 9111, sections 4.2.3 and 5.1)', () => {
  const table: [string, Record<string, string>, number, number][] = [
    ['none', {}, 0, 0],
    ['the delay of the answer', {}, 2, 2],
    ['Age', { Age: '30' }, 2, 32],
    ['Date', { Date: at(-20) }, 0, 20],
    ['a Date ahead', { Date: at(3600) }, 0, 0],
    ['the larger of both', { Age: '10', Date: at(-20) }, 0, 20],
    ['negative', { Age: '-7200' }, 0, 0],
    ['no number', { Age: 'abc' }, 0, 0],
    ['a fraction', { Age: '7200.0' }, 0, 0],
    ['a list: the first', { Age: '20, 0' }, 0, 20],
    ['enormous', { Age: '9'.repeat(30) }, 0, 2 ** 31],
  ]
  it.each(table)('%s', (_, headers, delay, age) => {
    const terms = plan({ 'Cache-Control': 'max-age=3600', ETag: '"1"', ...headers }, { delay }).terms
    if (age < 2 ** 31) expect(terms?.initialAge).toBe(age)
    else expect(terms).toBeUndefined()
  })
})

describe('CDN-Cache-Control (RFC 9213)', () => {
  const table: [string, Record<string, string>, number | undefined][] = [
    ['over Cache-Control', { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'max-age=1' }, 60],
    ['over no-store', { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'no-store' }, 60],
    ['over Expires', { 'CDN-Cache-Control': 'max-age=60', Expires: at(1) }, 60],
    ['over Expires when it names no lifetime', { 'CDN-Cache-Control': 'foo', Expires: at(60), ETag: '"1"' }, 0],
    ['no-store', { 'CDN-Cache-Control': 'no-store', 'Cache-Control': 'max-age=60' }, undefined],
    ['private', { 'CDN-Cache-Control': 'private', 'Cache-Control': 'max-age=60' }, undefined],
    ['malformed: ignored', { 'CDN-Cache-Control': 'max-age=60, &', 'Cache-Control': 'max-age=1' }, 1],
    ['empty: ignored', { 'CDN-Cache-Control': '', 'Cache-Control': 'max-age=1' }, 1],
  ]
  it.each(table)('%s', (_, headers, lifetime) => expect(plan(headers).terms?.lifetime).toBe(lifetime))
  it('by a list of targets', () => {
    const headers = { 'My-Cache-Control': 'max-age=5', 'CDN-Cache-Control': 'max-age=60' }
    expect(plan(headers, { targets: ['My-Cache-Control', 'CDN-Cache-Control'] }).terms?.lifetime).toBe(5)
    expect(plan(headers, { targets: [] }).terms).toBeUndefined()
  })
})
