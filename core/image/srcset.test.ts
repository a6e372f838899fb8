import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { LoaderImage } from './loader.js'
import { createImageLoader } from './loader.js'
import { backgroundImageSet, type ImageLayout, imageSrcSet } from './srcset.js'
import * as base64url from './url.js'
import { defaultWidths } from './url.js'

const loader = createImageLoader({ sources: ['/media/'] })
const src = '/media/cat.jpg'
// A loader of another library, which does not list its widths.
const otherLibrary = ({ src, width }: { src: string; width: number }) => `${src}?w=${width}`
const widthsOf = (srcset = '') => [...srcset.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width))

describe('imageSrcSet', () => {
  it.each<[string, object, string]>([
    ['no src', { width: 640 }, "src: expected a path or URL such as '/media/cat.jpg', got undefined"],
    ['another name of src', { source: src, width: 640 }, 'source: expected one of the options loader, src, width,'],
    [
      'no width',
      { src },
      'width: expected the maximum display width in CSS pixels, a number > 0, got undefined; src is /media/cat.jpg',
    ],
    ['no width, fixed', { src, layout: 'fixed' }, 'width: expected the maximum display width'],
    ['another name of width', { src, widht: 640 }, 'got an unknown one'],
    ['a width that is not a number', { src, width: 'wide' }, "got 'wide'"],
    ['a width of 0', { src, width: 0 }, 'got 0'],
    [
      'no layout',
      { src, width: 640, layout: 'fullwidth' },
      "layout: expected 'constrained', 'fixed' or 'full-width', got 'fullwidth'",
    ],
  ])('refuses %s', (_, options, message) => {
    expect(() => imageSrcSet({ loader, ...options } as never)).toThrow(message)
  })

  it('an image as wide as the viewport needs no width', () => {
    expect(imageSrcSet({ loader, src, layout: 'full-width' } as never).sizes).toBe('100vw')
  })

  it.each<[string, Parameters<typeof imageSrcSet>[0], number[], string]>([
    [
      'constrained',
      { loader, src, width: 640 },
      [384, 640, 750, 828, 1080, 1200, 1920],
      '(min-width: 640px) 640px, 100vw',
    ],
    ['constrained and small', { loader, src, width: 40 }, [48, 64, 96], '(min-width: 40px) 40px, 100vw'],
    ['fixed', { loader, src, width: 320, layout: 'fixed' }, [384, 640], '320px'],
    ['fixed, at an allowed width', { loader, src, width: 32, layout: 'fixed' }, [32, 48, 64], '32px'],
    [
      'full width',
      { loader, src, width: 1, layout: 'full-width' },
      [384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840],
      '100vw',
    ],
    ['sizes option', { loader, src, width: 320, sizes: '50vw' }, [256, 384, 640], '50vw'],
    [
      'sizes with a media condition',
      { loader, src, width: 320, sizes: '(min-width: 900px) 200px, 100vw' },
      [256, 384, 640],
      '(min-width: 900px) 200px, 100vw',
    ],
    ['computed sizes', { loader, src, width: 20, sizes: 'calc(50vw - 1rem)' }, [16, 32, 48], 'calc(50vw - 1rem)'],
    [
      'a known width of the original',
      { loader, src, width: 1200, originalWidth: 1024 },
      [384, 640, 750, 828, 1080],
      '(min-width: 1200px) 1200px, 100vw',
    ],
    ['a tiny original', { loader, src, width: 1200, originalWidth: 20 }, [32], '(min-width: 1200px) 1200px, 100vw'],
    ['wider than all widths', { loader, src, width: 9000, layout: 'fixed' }, [3840], '9000px'],
    [
      'widths option',
      { loader: otherLibrary, src, width: 600, widths: [1000, 500, 500] },
      [500, 1000],
      '(min-width: 600px) 600px, 100vw',
    ],
    [
      'widths of the loader',
      { loader: createImageLoader({ sources: ['/media/'], widths: [1000, 500, 500] }), src, width: 600 },
      [500, 1000],
      '(min-width: 600px) 600px, 100vw',
    ],
    [
      'some of the widths of the loader',
      { loader, src, width: 20, layout: 'fixed', widths: [64, 32] },
      [32, 64],
      '20px',
    ],
  ])('the widths and sizes of an image: %s', (_, options, widths, sizes) => {
    const image = imageSrcSet(options)
    expect(widthsOf(image.srcset)).toEqual(widths)
    expect(image.sizes).toBe(sizes)
  })

  it('a srcset lists each width once, in ascending order, up to the first width that suffices at 2x', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom<ImageLayout>('constrained', 'fixed', 'full-width'),
        fc.option(fc.integer({ min: 1, max: 8000 }), { nil: undefined }),
        (width, layout, originalWidth) => {
          const widths = widthsOf(imageSrcSet({ loader, src, width, layout, originalWidth }).srcset)
          expect(widths).toEqual([...new Set(widths)].sort((a, b) => a - b))
          const useful = Math.min(layout === 'full-width' ? 3840 : width * 2, originalWidth ?? 3840, 3840)
          expect(widths.at(-1)).toBeGreaterThanOrEqual(useful)
          expect(widths.filter((listed) => listed > useful).length).toBeLessThanOrEqual(1)
          expect(defaultWidths).toEqual(expect.arrayContaining(widths))
        },
      ),
    )
  })

  it('the src has the display width, for browsers without srcset', () => {
    expect(imageSrcSet({ loader, src, width: 640 }).src).toBe(loader({ src, width: 640 }))
    expect(imageSrcSet({ loader, src, width: 641 }).src).toBe(loader({ src, width: 750 }))
    expect(imageSrcSet({ loader, src, width: 9000 }).src).toBe(loader({ src, width: 3840 }))
  })

  it('a srcset with a ratio has the ratio and the focus in every URL', () => {
    const cropped = { src, ratio: '16:9', focus: { x: 0.32, y: 0.7 } }
    const image = imageSrcSet({ loader, ...cropped, width: 320, layout: 'fixed' })
    const path = '/_image/L21lZGlhL2NhdC5qcGc'
    const query = '&ratio=16:9&focus=3,7'
    expect(image.srcset).toBe(`${path}?width=384${query} 384w, ${path}?width=640${query} 640w`)
    expect(image.src).toBe(loader({ ...cropped, width: 384 }))
  })

  it('a loader of another library gets a ratio only if the image has one', () => {
    const images: object[] = []
    imageSrcSet({ loader: (image) => String(images.push(image)), src, width: 32, layout: 'fixed', focus: 'top' })
    expect(images).toEqual([32, 48, 64].map((width) => ({ src, width })))
  })

  it('returns only src when the loader leaves the source unchanged', () => {
    expect(imageSrcSet({ loader, src: '/logo.svg', width: 640 })).toEqual({ src: '/logo.svg' })
  })

  it('encodes the source only once', () => {
    const encode = vi.spyOn(base64url, 'encodeSource')
    const fresh = createImageLoader({ sources: ['/media/'] })
    imageSrcSet({ loader: fresh, src, width: 1200, layout: 'full-width' })
    expect(encode).toHaveBeenCalledTimes(1)
  })
})

describe('createImageLoader', () => {
  it('returns the proxy’s URL', () => {
    expect(loader({ src, width: 640 })).toBe('/_image/L21lZGlhL2NhdC5qcGc?width=640')
    expect(createImageLoader({ prefix: '/img/', sources: 'any' })({ src: 'a', width: 32 })).toBe('/img/YQ?width=32')
  })

  it.each<[string, Omit<LoaderImage, 'src' | 'width'>, string, object?]>([
    ['nothing', {}, ''],
    ['a ratio', { ratio: '4:3' }, '&ratio=4:3'],
    ['a ratio and a focus', { ratio: '4:3', focus: 'top' }, '&ratio=4:3&focus=5,0'],
    ['a ratio and no focus', { ratio: '4:3', focus: null }, '&ratio=4:3'],
    ['a focus only, which has no effect', { focus: 'top' }, ''],
    ['a focus that is turned off', { ratio: '4:3', focus: 'top' }, '&ratio=4:3', { focus: false }],
    ['a ratio of the site', { ratio: '21:9' }, '&ratio=21:9', { ratios: ['21:9'] }],
    ['a version, too', { ratio: '1:1', focus: 'center' }, '&ratio=1:1&focus=5,5&v=a1', { version: () => 'a1' }],
  ])('writes %s', (_, image, query, options = {}) => {
    const load = createImageLoader({ sources: ['/media/'], ...options })
    expect(load({ src, width: 640, ...image })).toBe(`/_image/L21lZGlhL2NhdC5qcGc?width=640${query}`)
  })

  it.each<[string, Omit<LoaderImage, 'src' | 'width'>, string, string]>([
    [
      'a ratio that the proxy rejects',
      { ratio: '5:4' },
      '&ratio=5:4',
      'Images: ratio: expected one of 1:1, 4:3, 3:4, 3:2, 16:9, 9:16, got 5:4; the proxy answers 400',
    ],
    [
      'a focus of a CMS that is malformed, which it drops',
      { ratio: '1:1', focus: { x: Number.NaN, y: 0.5 } },
      '&ratio=1:1',
      'Images: focus: expected fractions from 0 to 1, got x NaN and y 0.5, so it is not used: /media/cat.jpg',
    ],
  ])('warns once in development about %s', (_, image, query, text) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const load = createImageLoader({ sources: ['/media/'] })
    for (const width of [640, 750]) {
      expect(load({ src, width, ...image })).toBe(`/_image/L21lZGlhL2NhdC5qcGc?width=${width}${query}`)
    }
    expect(warn.mock.calls).toEqual([[text]])
    warn.mockRestore()
  })

  it('returns a source unchanged that the proxy would reject', () => {
    const anyLoader = createImageLoader({ sources: 'any' })
    for (const other of [
      `data:image/png;base64,${'A'.repeat(200_000)}`,
      `https://a.test/?${'x'.repeat(4096)}`,
      '/a\nb',
    ]) {
      expect(anyLoader({ src: other, width: 640 })).toBe(other)
    }
  })

  it.each(['/logo.svg', '', 'data:image/gif;base64,R0lGOD', 'https://evil.test/media/x', '/media/../x'])(
    'returns %s unchanged',
    (other) => {
      expect(loader({ src: other, width: 640 })).toBe(other)
    },
  )
})

describe('backgroundImageSet', () => {
  const path = '/_image/L21lZGlhL2NhdC5qcGc'
  it.each<[string, Partial<Parameters<typeof backgroundImageSet>[0]>, string]>([
    ['an image', {}, `image-set(url("${path}?width=640") 1x, url("${path}?width=1920") 2x)`],
    [
      'a crop',
      { ratio: '16:9', focus: 'top' },
      `image-set(url("${path}?width=640&ratio=16:9&focus=5,0") 1x, url("${path}?width=1920&ratio=16:9&focus=5,0") 2x)`,
    ],
    ['an original that is not larger', { originalWidth: 640 }, `image-set(url("${path}?width=640") 1x)`],
    ['a source that the loader leaves unchanged', { src: '/logo.svg' }, 'image-set(url("/logo.svg") 1x)'],
    [
      'characters that would end the text or the element',
      { src: 'data:image/svg+xml,<svg/>"), url(\n\\' },
      'image-set(url("data:image/svg+xml,\\3c svg/>\\22 ), url(\\a \\5c ") 1x)',
    ],
  ])('backgroundImageSet of %s', (_, options, value) => {
    expect(backgroundImageSet({ loader, src, width: 640, ...options })).toBe(value)
  })

  it.each<[string, object, string]>([
    ['no width', {}, 'width: expected the maximum display width'],
    ['another option', { width: 0, siez: 1 }, 'siez: expected one of the options'],
  ])('refuses %s', (_, options, message) => {
    expect(() => backgroundImageSet({ loader, src, ...options } as never)).toThrow(message)
  })
})
