import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createImgproxyUrls, formatProcessing, type ImgproxyAddress } from './imgproxy.js'
import type { ImageLoaderOptions } from './loader.js'
import { createPlanner as createImagePlanner, type ImageRejection, type PlannedImage } from './plan.js'
import { createSigner } from './sign.js'
import { defaultWidths, encodeSource } from './url.js'

const key = '736563726574'
const salt = '68656c6c6f'
type ImagePlanOptions = ImageLoaderOptions & ImgproxyAddress
const configured: ImagePlanOptions = {
  serviceUrl: 'http://images.test',
  key,
  salt,
  sources: ['/media/'],
  sourceBaseUrl: '',
}
const cat = encodeSource('/media/cat.jpg')

type AnyPlan = Partial<PlannedImage & ImageRejection & { location: string; url: string; source: string }>

/** Plans a request, and rewrites it to the URL of imgproxy. */
const plan = (path: string, options: Partial<ImagePlanOptions> = {}, method = 'GET'): AnyPlan | undefined => {
  const { serviceUrl, key, salt, sourceBaseUrl, ...loaderOptions } = { ...configured, ...options }
  const urlOf = createImgproxyUrls({ serviceUrl, key, salt, sourceBaseUrl })
  const isConfigured = Boolean(serviceUrl && key && salt)
  const planned = createImagePlanner(loaderOptions, isConfigured)({ method, url: `http://site.test${path}` })
  if (!planned || !('image' in planned)) return planned
  const { image, ...rest } = planned
  return { ...rest, source: image.source, ...urlOf(image.source, formatProcessing(image)) }
}

it.each([
  ['Astro', '/_image?href=%2F_astro%2Fcat.D3n.jpg%3ForigWidth%3D800&w=640&h=480&f=webp'],
  ['Astro with trailingSlash', '/_image/?href=%2F_astro%2Fcat.jpg&f=webp'],
  ['IPX', '/_image/w_640,f_webp/media/cat.jpg'],
  ['IPX without modifiers', '/_image/_/media/cat.jpg'],
  ['Nuxt', '/_image/f_webp&s_640x480/https://cdn.test/cat.jpg'],
])('a request in the form of %s under the prefix is left to the site', (_, path) => {
  expect(plan(path)).toBeUndefined()
  expect(plan(path, {}, 'POST')).toBeUndefined()
})

describe('a valid request', () => {
  it('a valid request is planned as a signed URL of the service', () => {
    const path = `/rs:fill:640/g:sm/${cat}`
    expect(plan(`/_image/${cat}?width=640`)).toEqual({
      url: `http://images.test/${createSigner({ key, salt })(path)}${path}`,
      source: '/media/cat.jpg',
      isImmutable: false,
      tag: '/media/cat.jpg',
    })
  })

  it.each([
    ['an origin', 'https://www.example.com', 'https://www.example.com/media/cat.jpg'],
    ['an origin with its slash', 'https://www.example.com/', 'https://www.example.com/media/cat.jpg'],
    ['local://', 'local://', 'local:///media/cat.jpg'],
    ['a bucket', 's3://bucket', 's3://bucket/media/cat.jpg'],
  ])('sourceBaseUrl can be %s, which is prepended to a path', (_, sourceBaseUrl, joined) => {
    expect(plan(`/_image/${cat}?width=640`, { sourceBaseUrl })?.url).toMatch(`/g:sm/${encodeSource(joined)}`)
  })

  it.each([
    // An origin such as S3 reads a bare `+` as a space.
    ['https://www.example.com', '/media/a+b.jpg', 'https://www.example.com/media/a%2Bb.jpg'],
    ['local://', '/media/gr%C3%B6%C3%9Fe%20+%2525.jpg', 'local:///media/größe +%25.jpg'],
    ['local://', '/media/100%25%23.jpg', 'local:///media/100%#.jpg'],
    ['local://', '/media/a%20', 'local:///media/a '],
    ['s3://bucket', '/media/a%20%5B1%5D%25.jpg', 's3://bucket/media/a [1]%.jpg'],
    ['gs://bucket', '/media/a%20%5B1%5D%25.jpg', 'gs://bucket/media/a [1]%.jpg'],
    ['abs://bucket', '/media/a%20%5B1%5D%25.jpg', 'abs://bucket/media/a [1]%.jpg'],
    ['swift://bucket', '/media/a%20%5B1%5D%25.jpg', 'swift://bucket/media/a [1]%.jpg'],
    ['S3://Bucket/', '/media/a%20.jpg', 's3://Bucket/media/a .jpg'],
    ['HTTPS://WWW.Example.com:443', '/media/a%20.jpg', 'https://www.example.com/media/a%20.jpg'],
    [
      'https://www.example.com',
      '/media/gr%C3%B6%C3%9Fe%20.jpg',
      'https://www.example.com/media/gr%C3%B6%C3%9Fe%20.jpg',
    ],
  ])('with sourceBaseUrl %j, the service gets %s as %s', (sourceBaseUrl, source, expected) => {
    const url = plan(`/_image/${encodeSource(source)}?width=640`, { sourceBaseUrl })?.url ?? ''
    expect(Buffer.from(url.split('/').at(-1) ?? '', 'base64url').toString()).toBe(expected)
  })

  it('without sourceBaseUrl, a path stays unchanged, because the service has its own base', () => {
    const source = encodeSource('/media/a%20%3F%25.jpg')
    expect(plan(`/_image/${source}?width=640`)?.url?.endsWith(`/g:sm/${source}`)).toBe(true)
  })

  it('the path of a URL of another scheme is decoded, but not its query', () => {
    const source = encodeSource('s3://bucket/a%20%25.jpg?v=%2F%25')
    const url = plan(`/_image/${source}?width=640`, { sources: ['s3://bucket/?'] })?.url
    expect(url?.endsWith(`/g:sm/${encodeSource('s3://bucket/a %.jpg?v=%2F%25')}`)).toBe(true)
  })

  it('sourceBaseUrl is not prepended to a URL', () => {
    const source = encodeSource('https://cdn.example.com/cat.jpg')
    const options = { sources: ['https://cdn.example.com'], sourceBaseUrl: 'local://' }
    expect(plan(`/_image/${source}?width=640`, options)?.url?.endsWith(`/g:sm/${source}`)).toBe(true)
  })

  it('the path may have a slash at its end, which Next.js adds with `trailingSlash`', () => {
    expect(plan(`/_image/${cat}/?width=640`)).toEqual(plan(`/_image/${cat}?width=640`))
  })

  it('the path of serviceUrl is kept', () => {
    expect(plan(`/_image/${cat}?width=640`, { serviceUrl: 'http://host/a/b/' })?.url).toMatch(
      /^http:\/\/host\/a\/b\/[\w-]{43}\/rs:/,
    )
  })

  it('a valid request may have another prefix, or be a HEAD request', () => {
    expect(plan(`/assets/images/${cat}?width=640`, { prefix: '/assets/images/' })?.url).toBeDefined()
    expect(plan(`/_image/${cat}?width=640`, {}, 'HEAD')?.url).toBeDefined()
  })
})

describe('a crop', () => {
  const pathOf = (query: string, options: Partial<ImagePlanOptions> = {}) =>
    plan(`/_image/${cat}?${query}`, options)?.url?.replace(/^http:\/\/images\.test\/[\w-]+/, '')

  it.each<[string, string, Partial<ImagePlanOptions>?]>([
    ['width=640&ratio=16:9', `/rs:fill-down:640:360/g:sm/${cat}`],
    ['width=640&ratio=16:9&focus=3,7', `/rs:fill-down:640:360/g:fp:0.3:0.7/${cat}`],
    // as Next.js passes it to a route
    ['width=640&ratio=16%3A9&focus=3%2C7', `/rs:fill-down:640:360/g:fp:0.3:0.7/${cat}`],
    ['width=640&ratio=9:16&focus=10,0', `/rs:fill-down:640:1138/g:fp:1:0/${cat}`],
    ['width=640&ratio=21:9', `/rs:fill-down:640:274/g:sm/${cat}`, { ratios: ['21:9'] }],
    ['width=640&ratio=16:9', `/rs:fill-down:640:360/g:sm/${cat}`, { focus: false }],
    ['width=640&ratio=1:1&focus=5,5&v=a1', `/rs:fill-down:640:640/g:fp:0.5:0.5/${cat}`, { version: () => 'a1' }],
  ])('%s is signed as %s', (query, path, options) => {
    expect(pathOf(query, options)).toBe(path)
  })

  it('a redirect to the version of a crop keeps ratio and focus', () => {
    const path = `/_image/${cat}?width=640&ratio=1:1&focus=3,7`
    expect(plan(`${path}&v=old`, { version: () => 'new' })).toEqual({ location: `${path}&v=new` })
  })

  it('one source has as many crops as the documentation says, however many are requested', () => {
    const planner = createImagePlanner(configured)
    const someRatios = [undefined, '', '0', '1:1', '16:9', '9:16', '3:2', '4:3', '3:4', '2:1', '16:09']
    const steps = Array.from({ length: 13 }, (_, index) => index - 1)
    const focuses = [
      undefined,
      '',
      '3%2C7',
      ...steps.flatMap((x) => steps.flatMap((y) => [`${x},${y}`, `${x}.0,${y}`])),
    ]
    const widths = Array.from({ length: 100 }, (_, index) => index).concat(defaultWidths)
    const planned = new Set<string>()
    for (const width of widths) {
      for (const ratio of someRatios) {
        if (!defaultWidths.includes(width) && ratio !== '1:1') continue
        for (const focus of focuses) {
          const query = `width=${width}${ratio === undefined ? '' : `&ratio=${ratio}`}${focus === undefined ? '' : `&focus=${focus}`}`
          const decided = planner({ method: 'GET', url: `http://site.test/_image/${cat}?${query}` })
          if (decided && 'image' in decided) planned.add(JSON.stringify(decided.image))
        }
      }
    }
    expect(planned.size).toBe(16 * (1 + 6 * (1 + 121)))
  })
})

it.each(['/', '/_images/x', '/x/_image/y', '/_imag', '/_IMAGE/x', '//_image/x'])(
  '%s is not a path of the proxy',
  (path) => {
    expect(plan(path)).toBeUndefined()
  },
)

describe('errors, in order of precedence', () => {
  const unconfigured = { serviceUrl: undefined }
  const encoded = encodeSource
  const shaped = (parameters: string) => `/_image/${cat}?width=640&${parameters}`
  const table: [string, string, number, string, Partial<ImagePlanOptions>?, string?][] = [
    ['POST', `/_image/${cat}?width=640`, 405, 'Method not allowed', {}, 'POST'],
    ['DELETE without a source, not configured', '/_image', 405, 'Method not allowed', unconfigured, 'DELETE'],
    ['no service URL', `/_image/${cat}?width=640`, 500, 'Image Proxy is not configured', unconfigured],
    ['empty service URL', `/_image/${cat}?width=640`, 500, 'Image Proxy is not configured', { serviceUrl: '' }],
    ['no key', `/_image/${cat}?width=640`, 500, 'Image Proxy is not configured', { key: undefined }],
    ['no salt', '/_image/', 500, 'Image Proxy is not configured', { salt: '' }],
    ['no source', '/_image?width=640', 400, 'Missing required parameters'],
    ['empty source', '/_image/?width=640', 400, 'Missing required parameters'],
    ['no width', `/_image/${cat}`, 400, 'Missing required parameters'],
    ['empty width', `/_image/${cat}?width=`, 400, 'Missing required parameters'],
    ['no width and an invalid source', '/_image/!', 400, 'Missing required parameters'],
    ['a width twice', `/_image/${cat}?width=640&width=640`, 400, 'Invalid width'],
    ['an empty width and another', `/_image/${cat}?width=&width=640`, 400, 'Invalid width'],
    ['a width that is not allowed', `/_image/${cat}?width=641`, 400, 'Invalid width'],
    ['an invalid width and an invalid source', '/_image/!?width=641', 400, 'Invalid width'],
    ...['0640', '640.0', '6.4e2', '+640', '%20640', '640px', '-640', '0', '٦٤٠', '0x280', 'NaN', '640,750'].map(
      (width): (typeof table)[number] => [`width ${width}`, `/_image/${cat}?width=${width}`, 400, 'Invalid width'],
    ),
    ['another parameter', `/_image/${cat}?q=75&width=640&dpl=1`, 400, 'Unknown parameters'],
    ['another parameter and an invalid width', `/_image/${cat}?q=75&width=641`, 400, 'Invalid width'],
    ['another parameter and an invalid source', '/_image/!?q=75&width=640', 400, 'Unknown parameters'],
    ...['0:0', '1e9:1', '16/9', '-1:1', '32:18', '016:9', '16:9:1', '', '5:4', '16:9,1:1', '%EF%BC%91:1'].map(
      (ratio): (typeof table)[number] => [`ratio ${ratio}`, shaped(`ratio=${ratio}`), 400, 'Invalid ratio'],
    ),
    ['a ratio twice', shaped('ratio=1:1&ratio=1:1'), 400, 'Invalid ratio'],
    ['a ratio and an invalid width', `/_image/${cat}?width=641&ratio=5:4`, 400, 'Invalid width'],
    ['a ratio of another site', shaped('ratio=1:1'), 400, 'Invalid ratio', { ratios: ['21:9'] }],
    ['a ratio where there are none', shaped('ratio=1:1'), 400, 'Invalid ratio', { ratios: [] }],
    ...[
      ...['NaN', '11,3', '3', '3,', ',3', '', '3,11', '03,7', '0.3,0.7', '-1,3', '3,7,1', '3;7', '3, 7', '٣,7', 'top'],
      ...['12345678901234567,3', '3.00000000000000001,7', '1e1,3'],
    ].map((focus): (typeof table)[number] => [
      `focus ${focus}`,
      shaped(`ratio=1:1&focus=${focus}`),
      400,
      'Invalid focus',
    ]),
    ['a focus without a ratio', shaped('focus=3,7'), 400, 'Invalid focus'],
    ['a focus twice', shaped('ratio=1:1&focus=3,7&focus=3,7'), 400, 'Invalid focus'],
    ['a focus that is turned off', shaped('ratio=1:1&focus=3,7'), 400, 'Invalid focus', { focus: false }],
    ['an invalid focus and an invalid ratio', shaped('ratio=5:4&focus=11,3'), 400, 'Invalid ratio'],
    ['another order', `/_image/${cat}?ratio=1:1&width=640`, 400, 'Unknown parameters'],
    ['another order of ratio and focus', shaped('focus=3,7&ratio=1:1'), 400, 'Unknown parameters'],
    ['another spelling of the ratio', shaped('ratio=1%3a1'), 400, 'Unknown parameters'],
    ['another spelling of the focus', shaped('ratio=1:1&focus=3%2c7'), 400, 'Unknown parameters'],
    ['two spellings', shaped('ratio=1%3A1&focus=3,7'), 400, 'Unknown parameters'],
    ['another parameter behind the ratio', shaped('ratio=1:1&q=75'), 400, 'Unknown parameters'],
    ['a ratio and an invalid source', '/_image/!?width=640&ratio=1:1', 400, 'Invalid source'],
    ['not base64', '/_image/!?width=640', 400, 'Invalid source'],
    ['a slash', `/_image/${cat}/${cat}?width=640`, 400, 'Invalid source'],
    ['two slashes at the end', `/_image/${cat}//?width=640`, 400, 'Invalid source'],
    ['padding', '/_image/L2E=?width=640', 400, 'Invalid source'],
    ['a control character', `/_image/${encoded('/media/a\n.jpg')}?width=640`, 400, 'Invalid source'],
    ['too long', `/_image/${encoded(`/media/${'a'.repeat(4096)}`)}?width=640`, 400, 'Invalid source'],
    ['another spelling', `/_image/${encoded('/media//cat.jpg')}?width=640`, 400, 'Invalid source'],
    ['a query', `/_image/${encoded('/media/cat.jpg?n')}?width=640`, 400, 'Invalid source'],
    ['another folder', `/_image/${encoded('/secret/a.jpg')}?width=640`, 403, 'Source not allowed'],
    ['a path that leaves the folder', `/_image/${encoded('/media/../secret')}?width=640`, 403, 'Source not allowed'],
    ['another host', `/_image/${encoded('https://evil.test/a.jpg')}?width=640`, 403, 'Source not allowed'],
  ]

  it.each(table)('%s', (_, path, status, error, options = {}, method = 'GET') => {
    expect(plan(path, options, method)?.error).toEqual({ status, error })
  })
})

describe('a source that no URL of the scheme can name has no URL at imgproxy, with the reason for the log', () => {
  it.each([
    ['local:///media/what%3F.jpg', "local:// cannot name a file with '?', which starts a query"],
    ['s3://bucket/what%3F.jpg', "s3:// cannot name a file with '?', which starts a query"],
    ['gs://bucket/a%2Fb.jpg', "gs:// cannot name a file with '/' in it"],
    ['abs://container/%00.jpg', 'abs:// cannot name a file with control characters'],
    ['swift://container/%C2%85.jpg', 'swift:// cannot name a file with control characters'],
    ['local:///%FF.jpg', 'local:// cannot name a file whose name is not UTF-8'],
    ['local:///%ED%A0%80.jpg', 'local:// cannot name a file whose name is not UTF-8'],
  ])('%s', (source, reason) => {
    const path = `/_image/${encodeSource(source)}?width=640`
    expect(plan(path, { sources: 'any' })).toMatchObject({ source, reason })
    expect(plan(path, { sources: 'any' })).not.toHaveProperty('url')
  })
})

it('a signed source is under the prefix, whatever was requested', () => {
  const piece = fc.constantFrom(
    ...['/', '.', '..', '%2e', '%2E', '%2F', '%252e', '%252F', '%5C', '\\', 'a', '%25', '%3F', ' ', '%20'],
  )
  const remainder = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(remainder, (path) => {
      const url = plan(`/_image/${encodeSource(`/media/${path}`)}?width=640`, { sourceBaseUrl: 'local://' })?.url
      if (url === undefined) return
      const signed = Buffer.from(url.split('/').at(-1) ?? '', 'base64url').toString()
      const literal = signed.slice('local://'.length)
      expect(literal).toMatch(/^\/media(?:\/|$)/)
      expect(literal).not.toMatch(/[?\\]/)
      expect(posix.normalize(literal)).toBe(literal)
    }),
    { numRuns: 1_000 },
  )
})

it('a prefix matches, however it is escaped', () => {
  for (const prefix of ['/a+b (1)/', '/a%2Bb%20%281%29/', '/a%2bb (1)/']) {
    expect(
      plan(`/_image/${encodeSource('/a+b%20(1)/cat.jpg')}?width=640`, { sources: [prefix] })?.error,
    ).toBeUndefined()
  }
})

describe('a malformed option throws at creation, with a TypeError that names it', () => {
  it.each([
    ['key', { key: 'not hex' }],
    ['key', { key: 'not hex', salt: undefined }],
    ['salt', { salt: 'abc' }],
    ['serviceUrl', { serviceUrl: 'images.test' }],
    ['serviceUrl', { serviceUrl: 'http://user:pass@images.test' }],
    ['serviceUrl', { serviceUrl: 'ftp://images.test' }],
    ['serviceUrl', { serviceUrl: 'http://images.test/?a' }],
    ['sourceBaseUrl', { sourceBaseUrl: '/media' }],
    ['sourceBaseUrl', { sourceBaseUrl: 'https://www.example.com/path' }],
    ['sourceBaseUrl', { sourceBaseUrl: 'https://user@www.example.com' }],
    ['sourceBaseUrl', { sourceBaseUrl: 'https://www.example.com:99999' }],
    ['sourceBaseUrl', { sourceBaseUrl: 's3://' }],
    ['sourceBaseUrl', { sourceBaseUrl: 'https://' }],
    ['sources', { sources: [] }],
    ['widths', { widths: [] }],
    ['widths', { widths: [640.5] }],
    ['widths', { widths: [0] }],
    ['ratios', { ratios: ['16/9'] }],
    ['ratios', { ratios: ['1:5'] }],
    ['ratios', { widths: [1000], ratios: ['1:17'] }],
    ['prefix', { prefix: '' }],
    ['prefix', { prefix: '/' }],
    ['prefix', { prefix: 'a/../b' }],
    ['prefix', { prefix: 'a b' }],
  ])('the malformed option %s throws at creation: %j', (option, options) => {
    expect(() => plan('/', options)).toThrow(TypeError)
    expect(() => plan('/', options)).toThrow(new RegExp(`^${option}: `))
  })
})
