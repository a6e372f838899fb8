import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidPathError, parseImgproxyPath, splitSignature } from './imgproxy.js'
import { formatImgproxyPath } from './parameters.js'
import { encodeSource } from './url.js'

const cat = encodeSource('/media/cat.jpg')
const defaults = { resize: 'fit', width: 0, height: 0, gravity: { x: 0.5, y: 0.5 }, quality: 0, format: undefined }

test.each<[Parameters<typeof formatImgproxyPath>[0], string, object]>([
  [{ width: '640' }, '/rs:fill:640/g:sm', { width: 640 }],
  [
    { width: '640', ratio: '16:9' },
    '/rs:fill-down:640:360/g:sm',
    { resize: 'fill-down', width: 640, height: 360, gravity: 'attention' },
  ],
  [
    { width: '640', ratio: '4:3', focus: '3,7' },
    '/rs:fill-down:640:480/g:fp:0.3:0.7',
    { resize: 'fill-down', width: 640, height: 480, gravity: { x: 0.3, y: 0.7 } },
  ],
  [
    { width: '16', ratio: '100:1', focus: '0,10' },
    '/rs:fill-down:16:1/g:fp:0:1',
    { resize: 'fill-down', width: 16, height: 1, gravity: { x: 0, y: 1 } },
  ],
])('formatImgproxyPath writes %j as parseImgproxyPath reads it', (parameters, path, options) => {
  expect(formatImgproxyPath(parameters, cat)).toBe(`${path}/${cat}`)
  expect(parseImgproxyPath(`${path}/${cat}`)).toEqual({
    source: '/media/cat.jpg',
    options: { ...defaults, ...options },
  })
})

describe('splitSignature', () => {
  test.each([
    ['/sig/rs:fill:300/abc', { signature: 'sig', path: '/rs:fill:300/abc' }],
    ['/sig/abc', { signature: 'sig', path: '/abc' }],
    ['/sig//abc', { signature: 'sig', path: '//abc' }],
    ['/sig', undefined],
    ['/sig/', undefined],
    ['//abc', undefined],
    ['/', undefined],
  ])('%s', (pathname, expected) => {
    expect(splitSignature(pathname)).toEqual(expected)
  })
})

describe('parseImgproxyPath', () => {
  test.each([
    // the URLs of the image proxy: without a height, the image is not cropped
    [`/rs:fill:640/g:sm/${cat}`, { width: 640 }],
    [`/rs:fill:640:0/g:sm/${cat}`, { width: 640 }],
    [`/rs:fill:640:480/g:sm/${cat}`, { resize: 'fill', width: 640, height: 480, gravity: 'attention' }],
    [`/resize:fill:640:480:0/gravity:sm/${cat}`, { resize: 'fill', width: 640, height: 480, gravity: 'attention' }],
    [`/rs:fit:640:480/g:sm/${cat}`, { width: 640, height: 480 }],
    [`/rs:fill:640:480/g:nowe:0:0/${cat}`, { resize: 'fill', width: 640, height: 480, gravity: { x: 0, y: 0 } }],
    [`/rs:fill:640:480/g:fp:0.25:1.0/${cat}`, { resize: 'fill', width: 640, height: 480, gravity: { x: 0.25, y: 1 } }],
    [`/rs::640/h:480/${cat}`, { width: 640, height: 480 }],
    [`/w:640/h:480/${cat}`, { width: 640, height: 480 }],
    [`/width:640/height:480/${cat}`, { width: 640, height: 480 }],
    [`/w:640/w:320/${cat}`, { width: 320 }],
    [`/q:80/${cat}`, { quality: 80 }],
    [`/quality:80/${cat}`, { quality: 80 }],
    [`/f:webp/${cat}`, { format: 'webp' }],
    [`/ext:jpg/${cat}`, { format: 'jpeg' }],
    [`/format:png/${cat}.gif`, { format: 'gif' }],
    [`/${cat}.avif`, { format: 'avif' }],
    [`/${cat}.`, {}],
    [`/${cat}`, {}],
    [`/${cat}==`, {}],
    [`/${cat.slice(0, 5)}/${cat.slice(5, 9)}/${cat.slice(9)}.webp`, { format: 'webp' }],
    ['/w:1/plain//media/cat.jpg', { width: 1 }],
    ['/plain/%2Fmedia%2Fcat.jpg@webp', { format: 'webp' }],
    ['/plain//media/%63at.jpg@', {}],
  ])('%s', (path, options) => {
    expect(parseImgproxyPath(path)).toEqual({ source: '/media/cat.jpg', options: { ...defaults, ...options } })
  })

  test.each([
    ['/plain/https://cdn.example.com/a%20b.jpg', 'https://cdn.example.com/a b.jpg'],
    ['/plain/local:///media/cat.jpg', 'local:///media/cat.jpg'],
    ['/plain/https://cdn.example.com/a%3Fb%40c@png', 'https://cdn.example.com/a?b@c'],
    [
      '/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png',
      'http://example.com/images/curiosity.jpg',
    ],
  ])('%s', (path, source) => {
    expect(parseImgproxyPath(path).source).toBe(source)
  })
})

describe('an invalid path throws an error with the reason', () => {
  test.each([
    ['/rs:fill:640', 'no source'],
    [`/rs:force:640/${cat}`, "option 'rs:force:640': expected the type 'fit', 'fill' or 'fill-down'"],
    [`/rs:fill:640:0:1/${cat}`, "option 'rs:fill:640:0:1': enlarging and extending are not supported"],
    [`/w:-1/${cat}`, "option 'w:-1': expected a number from 0 to 16383"],
    [`/w:1e3/${cat}`, "option 'w:1e3': expected a number from 0 to 16383"],
    [`/w:16384/${cat}`, "option 'w:16384': expected a number from 0 to 16383"],
    [`/w:/${cat}`, "option 'w:': expected a number from 0 to 16383"],
    [`/q:101/${cat}`, "option 'q:101': expected a number from 0 to 100"],
    [`/g:fp:0.5/${cat}`, "option 'g:fp:0.5': expected one of sm, ce, "],
    [`/g:fp:0.5:1.1/${cat}`, "option 'g:fp:0.5:1.1': expected one of sm, ce, "],
    [`/g:fp:-0.5:1/${cat}`, "option 'g:fp:-0.5:1': expected one of sm, ce, "],
    [`/g:fp:NaN:1/${cat}`, "option 'g:fp:NaN:1': expected one of sm, ce, "],
    [`/g:fp:0.5:0.5:0/${cat}`, "option 'g:fp:0.5:0.5:0': expected one of sm, ce, "],
    [`/g:no:5:0/${cat}`, "option 'g:no:5:0': expected one of sm, ce, "],
    [`/g:constructor/${cat}`, "option 'g:constructor': expected one of sm"],
    [`/f:bmp/${cat}`, "option 'f:bmp': expected one of avif, webp, jpg, jpeg, jfif, png, gif"],
    [`/${cat}.toString`, "option 'ext:toString': expected one of avif"],
    [`/blur:5/${cat}`, "unknown option 'blur:5'"],
    [`/__proto__:5/${cat}`, "unknown option '__proto__:5'"],
    ['/w:5/!!!', 'the source is not URL-safe base64'],
    ['/w:5/', 'the source is not URL-safe base64'],
    [`/${cat}.webp.png`, 'the source is not URL-safe base64'],
    ['/plain/', "the source after 'plain/' is not percent-encoded"],
    ['/plain/a%', "the source after 'plain/' is not percent-encoded"],
    ['/plain/%ff', "the source after 'plain/' is not percent-encoded"],
    ['/plain/a@b@c', "the source after 'plain/' is not percent-encoded"],
    ['/plain/a%00b', 'the source has control characters'],
    [`/plain/${'a'.repeat(4097)}`, 'the source has control characters or more than 4096 bytes'],
  ])('%s', (path, reason) => {
    expect(() => parseImgproxyPath(path)).toThrow(reason)
    expect(() => parseImgproxyPath(path)).toThrow(InvalidPathError)
  })
})

describe('properties', () => {
  const source = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((text) => !/\p{Cc}/u.test(text))
  const format = fc.constantFrom('', 'avif', 'webp', 'png')

  test('every source is decoded from base64, wherever a slash splits it, and from plain', () => {
    fc.assert(
      fc.property(source, format, fc.nat(), (text, extension, cut) => {
        const encoded = encodeSource(text)
        const at = (cut % encoded.length) + 1
        // With `plain` before the slash, the source would not be base64.
        const path = `/w:9/${encoded.slice(0, at)}/${encoded.slice(at)}`
        const plain = `/w:9/plain/${encodeURIComponent(text)}`
        if (encoded.slice(0, at) !== 'plain') {
          expect(parseImgproxyPath(extension ? `${path}.${extension}` : path).source).toBe(text)
        }
        expect(parseImgproxyPath(extension ? `${plain}@${extension}` : plain).source).toBe(text)
      }),
    )
  })

  test('any text is parsed, or rejected with an InvalidPathError', () => {
    const segment = fc.oneof(
      fc.constantFrom('rs', 'fill', ':', '/', '@', '.', '%', '%2e', 'plain', 'w:1', 'ext:', cat, '..', '\\', '0'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(segment), (segments) => {
        try {
          const { options } = parseImgproxyPath(`/${segments.join('')}`)
          expect(options.width).toBeGreaterThanOrEqual(0)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidPathError)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the order of different options makes no difference', () => {
    const options = ['rs:fill:10:20', 'g:sm', 'q:7', 'f:png']
    fc.assert(
      fc.property(fc.shuffledSubarray(options, { minLength: 4 }), (shuffled) => {
        expect(parseImgproxyPath(`/${shuffled.join('/')}/${cat}`)).toEqual(
          parseImgproxyPath(`/${options.join('/')}/${cat}`),
        )
      }),
    )
  })
})
