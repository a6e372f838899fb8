import { describe, expect, it } from 'vitest'
import { namedMediaTypes } from './negotiation.js'

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
    ['image/avif;q=0.', []],
    ['image/avif;level=1; q=0.000 ;x=2', []],
    ['image/avif;q=7', ['image/avif']],
    ['image/avif;q=', ['image/avif']],
    ['image/avif;q=x', ['image/avif']],
    ['image/avif;q', ['image/avif']],
    ['image/avif;xq=0', ['image/avif']],
    ['image/avif;q=0,image/avif;q=0.8,image/avif;q=0', ['image/avif']],
  ])('Accept: %o names the media types %o', (accept, types) => expect([...namedMediaTypes(accept)]).toEqual(types))
})
