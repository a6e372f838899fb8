import { describe, expect, it } from 'vitest'
import { parseVary } from '../../../http/vary.js'
import { createSelectingFields } from './selecting-fields.js'
import { createUrlKey, trackingParameters } from './url-key.js'
import { createVaryKey, mergeVary } from './vary-key.js'

describe('URL keys', () => {
  const key = createUrlKey(trackingParameters)
  const site = 'https://site.test/page'
  it.each([
    ['/%61bout', '/about'],
    ['/n%65ws-%41nd%2Devents/%7e%2e%5f', '/news-And-events/~._'],
    ['/caf%c3%a9/%E2%82%ac', '/caf%C3%A9/%E2%82%AC'],
    ['/a%2fb%3f%23%25%32', '/a%2Fb%3F%23%252'],
    ['/%2561', '/%2561'],
    ['/100%/%zz', '/100%/%zz'],
    ['/?q=%61&utm_source=x', '/?q=%61'],
    ['/%61?utm_source=x', '/a'],
    ['/%61?q=%61', '/a?q=%61'],
  ])('a path has one spelling: %s is %s', (spelled, normalized) => {
    const { href } = new URL(key(`https://site.test${spelled}`))
    expect(href).toBe(`https://site.test${normalized}`)
    expect(key(href)).toBe(href)
    expect(createUrlKey([])(`https://site.test${spelled}`).split('?')[0]).toBe(href.split('?')[0])
  })

  it.each([
    ['', ''],
    ['?a=1', '?a=1'],
    ['?utm_source=x', ''],
    ['?utm_source', ''],
    ['?a=1&utm_source=x&b=2&gclid=3&fbclid', '?a=1&b=2'],
    ['?b=2&a=1', '?b=2&a=1'],
    ['?a=utm_source=1', '?a=utm_source=1'],
    ['?gclidx=1', '?gclidx=1'],
    ['?a=%20&a=+', '?a=%20&a=+'],
    ['?a=1#part?utm_source=1', '?a=1'],
    ['?', '?'],
  ])('%s', (query, kept) => expect(key(site + query)).toBe(site + kept))

  it('refuse malformed names', () => {
    for (const wrong of ['', '*', 'a=b', 'a*b', 1])
      expect(() => createUrlKey([wrong as string])).toThrow(/^ignoreQuery: /)
  })
})

describe('Vary (RFC 9111, section 4.1)', () => {
  const keyOf = createVaryKey(createSelectingFields())
  const select = (names: string, header: string | null) => {
    const vary = mergeVary(undefined, parseVary(names) as string[])
    const headers = new Headers(header === null ? {} : { [names]: header })
    return vary && keyOf('', { ...vary, generation: '' }, headers)
  }
  it.each([
    ['*', '*'],
    ['*, *', '*'],
    [', *', '*'],
    ['Foo, *', '*'],
    ['*, Foo', '*'],
    [' Foo ,, bar, foo', ['bar', 'foo']],
    ['', []],
    [null, []],
  ])('%j names %j', (field, names) => expect(parseVary(field)).toEqual(names))

  it.each([
    ['foo', '1, 2', '1,2', false],
    ['foo', ' 1 ', '1', true],
    ['hx-request', 'true', 'true,', false],
    ['origin', 'https://app.example', 'https://app.example,', false],
    ['accept-language', 'de-DE', 'd e-DE', false],
    ['accept-language', 'en,, de,', 'en,de', true],
    ['accept', 'text/html', 'text/ html', false],
    ['accept', 'text/html ; level="1";q=1.0', 'text/html;level="1"', true],
    ['accept', 'TEXT/HTML', 'text/html', false],
    ['accept', 'text/html;level=A', 'text/html;level=a', false],
    ['accept', 'text/html;q=0.50', 'text/html;q=0.5', true],
    ['accept', 'text/html;q=0.5000', 'text/html;q=0.5', false],
    ['foo', 'A', 'a', false],
    ['foo', '', null, false],
    ['foo', '1', null, false],
    ['accept-language', 'en, de;q=0.5', 'en,de; q=0.50', true],
    ['accept-language', 'de-DE', 'de-de', false],
    ['accept-language', 'en, de', 'de, en', false],
    ['accept-encoding', 'gzip, br', 'br,gzip;q=1.000', true],
    ['accept-encoding', 'gzip, br', 'br,gzip;q=0.5', false],
    ['accept-encoding', 'gzip, *', 'gzip, *, br;q=0', false],
    ['accept-encoding', 'gzip', 'gzip, gzip;q=0', false],
    ['accept-encoding', 'gzip, br;q=0', 'gzip', false],
    ['accept-encoding', 'gzip', 'gzip, identity;q=0', false],
    ['cookie', `a=${'x'.repeat(9000)}`, `a=${'x'.repeat(9000)}`, true],
    ['cookie', `a=${'x'.repeat(9000)}`, `a=${'x'.repeat(8999)}y`, false],
  ])('%s: %s and %s', (names, one, other, same) => {
    expect(select(names, one) === select(names, other)).toBe(same)
    expect(select(names, one)?.length).toBeLessThan(400)
  })

  it('the record only ever gains fields', () => {
    const one = mergeVary(undefined, ['accept'])
    expect(mergeVary(one, ['accept'])).toBe(one)
    expect(mergeVary(one, [])).toBe(one)
    expect(mergeVary(one, ['cookie'])).toMatchObject({ names: ['accept', 'cookie'] })
    expect(mergeVary(undefined, [])).toBeUndefined()
    // As nothing but another program writes it.
    const twice = { kind: 'vary', generation: 'g', names: ['accept', 'accept'], ttl: 1 } as const
    expect(mergeVary(twice, ['accept', 'cookie'])).toMatchObject({ names: ['accept', 'cookie'] })
  })
})
