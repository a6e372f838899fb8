import { describe, expect, it } from 'vitest'
import { asksForImages, mediaTypeWeights, namedMediaTypes } from './accept.js'

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

describe('asksForImages', () => {
  it.each([
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', true], // Chrome
    ['image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', true], // Firefox
    ['image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/*;q=0.8,*/*;q=0.5', true], // Safari
    ['image/*', true],
    ['Image/* ; Q = 0.5 ,, text/html;level=1;q=0', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8', false],
    ['text/html,image/*', false],
    ['image/*,*/*', false],
    ['image/*;q=0', false],
    ['image/avif,image/webp', false],
    ['*/*', false],
    ['', false],
    [null, false],
  ])('%o: %s', (accept, expected) => expect(asksForImages(accept)).toBe(expected))
})

describe('mediaTypeWeights', () => {
  it.each([
    ['q=0', 0],
    ['q=0.', 0],
    ['q=0.000', 0],
    ['q = 0', 0],
    ['q=0.001', 0.001],
    ['Q=0.50', 0.5],
    ['level=1; q=0.5 ;x=2', 0.5],
    ['q=1', 1],
    ['q=7', 1],
    ['q=', 1],
    ['q=x', 1],
    ['q', 1],
    ['xq=0', 1],
  ])('%s: %s', (parameters, weight) => {
    expect([...mediaTypeWeights(`image/avif;${parameters}`)]).toEqual([['image/avif', weight]])
  })

  it('the highest counts', () => {
    expect(mediaTypeWeights('image/avif;q=0.5,image/avif;q=0.8,image/avif;q=0').get('image/avif')).toBe(0.8)
  })
})
