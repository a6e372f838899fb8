import { describe, expect, it } from 'vitest'
import { isZeroQuality, namedMediaTypes } from './accept.js'

describe('namedMediaTypes', () => {
  it.each<[string | null, string[]]>([
    [null, []],
    ['', []],
    [' , ,', []],
    ['image/avif', ['image/avif']],
    ['image/avif,image/webp;q=0,*/*', ['image/avif', '*/*']],
    ['Image/AVIF ; Q=0.5 , image/*', ['image/avif', 'image/*']],
    ['image/webp;q=0.0', []],
    ['image/webp; q = 0', []],
    ['image/webp;q=0.001', ['image/webp']],
    ['text/html;level=1;q=0', []],
    ['text/html;level=0', ['text/html']],
    ['image/avif,image/avif', ['image/avif']],
    [';q=1', []],
  ])('%o names %o', (accept, types) => expect([...namedMediaTypes(accept)]).toEqual(types))
})

describe('isZeroQuality', () => {
  it.each([
    ['q=0', true],
    ['q=0.', true],
    ['q=0.000', true],
    ['q = 0', true],
    ['q=0.001', false],
    ['q=1', false],
    ['q=', false],
    ['q', false],
    ['xq=0', false],
  ])('%s: %s', (parameter, expected) => expect(isZeroQuality(parameter)).toBe(expected))
})
