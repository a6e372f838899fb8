import { describe, expect, it } from 'vitest'
import { acceptedFormats } from './image-response.js'

describe('acceptedFormats', () => {
  it.each([
    ['image/avif,image/webp,image/apng,image/*,*/*;q=0.8', ['avif', 'webp']],
    ['image/webp,image/avif', ['avif', 'webp']],
    ['image/webp,*/*', ['webp']],
    ['IMAGE/AVIF', ['avif']],
    ['image/avif;q=0.1', ['avif']],
    ['image/avif;q=0,image/webp', ['webp']],
    ['image/avif ; q=0.000 , image/webp;q=1.0', ['webp']],
    ['image/avif;v=1;Q=0', []],
    ['image/avif;q=0.05', ['avif']],
    ['image/jxl,image/avif', ['avif', 'jxl']],
    ['*/*', []],
    ['image/*', []],
    ['image/avif-sequence', []],
    ['ximage/avif', []],
    ['', []],
    [null, []],
  ])('%s', (accept, formats) => expect(acceptedFormats(accept)).toEqual(formats))
})
