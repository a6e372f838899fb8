import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { createImageLoader } from './loader.js'
import { createPlanner as createImagePlanner, type ImageRejection } from './plan.js'
import { sourceTag } from './source-names.js'
import { encodeSource } from './url.js'

const options = { serviceUrl: 'http://images.test', key: 'aa', salt: 'bb' }
const cat = encodeSource('/media/cat.jpg')

describe('a URL with a version', () => {
  const versions: Record<string, string> = { '/media/cat.jpg': 'abc-1', '/media/odd.jpg': 'not/one' }
  const version = vi.fn((source: string) => versions[source])
  const loader = createImageLoader({ sources: ['/media/'], version })
  const plan = createImagePlanner({ sources: ['/media/'], version })
  const decide = (query: string, path = cat) =>
    plan({ method: 'GET', url: `http://site.test/_image/${path}${query}` }) as Partial<ImageRejection> | undefined

  beforeEach(() => {
    versions['/media/cat.jpg'] = 'abc-1'
  })

  it('the URL with a version that the loader writes is immutable', () => {
    expect(loader({ src: '/media//cat.jpg', width: 640 })).toBe(`/_image/${cat}?width=640&v=abc-1`)
    expect(decide('?width=640&v=abc-1')).toMatchObject({ isImmutable: true, tag: '/media/cat.jpg' })
    expect(decide('?width=640')).toMatchObject({ isImmutable: false, tag: '/media/cat.jpg' })
  })

  it('the URL with a version changes with the original', () => {
    versions['/media/cat.jpg'] = 'abc-2'
    expect(loader({ src: '/media/cat.jpg', width: 640 })).toBe(`/_image/${cat}?width=640&v=abc-2`)
    expect(decide('?width=640&v=abc-1')).toEqual({ location: `/_image/${cat}?width=640&v=abc-2` })
    delete versions['/media/cat.jpg']
    expect(decide('?width=640&v=abc-1')).toEqual({ location: `/_image/${cat}?width=640` })
    expect(loader({ src: '/media/cat.jpg', width: 640 })).toBe(`/_image/${cat}?width=640`)
  })

  it('a version that cannot be part of a URL is not written', () => {
    expect(loader({ src: '/media/odd.jpg', width: 640 })).not.toContain('v=')
  })

  it.each([
    '?v=abc-1&width=640',
    '?width=640&v=',
    '?width=640&v=a%62c',
    '?width=640&v=abc-1&v=abc-1',
    '?width=640&v=abc-1&x=1',
    `?width=640&v=${'a'.repeat(65)}`,
    '?width=640&v=a/b',
  ])('a URL with a version has one spelling: %s is 400', (query) => {
    expect(decide(query)?.error).toEqual({ status: 400, error: 'Unknown parameters' })
  })

  it('a URL with a version is 400 if no versions are configured', () => {
    const url = `http://site.test/_image/${cat}?width=640&v=abc-1`
    const planned = createImagePlanner({ sources: ['/media/'] })({ method: 'GET', url })
    expect(planned).toMatchObject({ error: { error: 'Unknown parameters' } })
  })

  it('only the versions of allowed sources are looked up', () => {
    version.mockClear()
    expect(decide('?width=640&v=1', encodeSource('/secret/cat.jpg'))?.error?.status).toBe(403)
    expect(decide('?width=641&v=1')?.error?.status).toBe(400)
    expect(version).not.toHaveBeenCalled()
  })
})

it.each([
  ['/media/cat.jpg?v=2', true],
  ['/media/cat.jpg?w=1&v=2', true],
  ['/media/cat.jpg?v=', false],
  ['/media/cat.jpg?rev=2', false],
  ['/media/v=2.jpg', false],
])('a version in the source counts: %s', (source, isImmutable) => {
  const plan = createImagePlanner({ ...options, sources: ['/media/?'] })
  const url = `http://site.test/_image/${encodeSource(source)}?width=640`
  expect(plan({ method: 'GET', url })).toMatchObject({ isImmutable })
})

it.each([
  ['/media/cat.jpg', '/media/cat.jpg'],
  ['/media/a,b.jpg', '/media/a%2Cb.jpg'],
  ['https://cdn.example.com/a.jpg?v=2&w=3', 'https://cdn.example.com/a.jpg'],
  [`/media/${'a'.repeat(1024)}.jpg`, undefined],
])('the tag of %s', (source, tag) => {
  expect(sourceTag(source)).toBe(tag)
})

it.each([
  ['still has the version of its URL', 'a', /immutable/],
  ['already is of a later original', 'b', /max-age=300,/],
  ['no longer has a version', undefined, /max-age=300,/],
])('the lifetime of an image that %s when it arrives', async (_, current, cacheControl) => {
  const version = Object.assign(() => 'a', { current: () => current })
  const image = async () => new Response('image', { headers: { 'Content-Type': 'image/webp', ETag: '"1"' } })
  const secrets = { serviceUrl: 'http://images.test', key: '73', salt: '68' }
  const proxy = createImageProxy({ ...secrets, sources: ['/media/'], version, fetch: image })
  const url = `http://site.test${createImageLoader({ sources: ['/media/'], version })({ src: '/media/cat.jpg', width: 640 })}`
  expect(url).toContain('&v=a')
  for (const headers of [{}, { 'If-None-Match': '*' }]) {
    const response = await proxy(new Request(url, { headers }))
    expect(response?.headers.get('Cache-Control')).toMatch(cacheControl)
  }
})

it('a request whose version cannot be looked up is redirected to the URL without a version', async () => {
  const version = Object.assign(() => 'a', { requested: () => undefined })
  const secrets = { serviceUrl: 'http://images.test', key: '73', salt: '68' }
  const proxy = createImageProxy({ ...secrets, sources: ['/media/'], version })
  const url = createImageLoader({ sources: ['/media/'], version })({ src: '/media/cat.jpg', width: 640 })
  const response = await proxy(new Request(`http://site.test${url}`))
  expect([response?.status, response?.headers.get('Location')]).toEqual([307, url.replace('&v=a', '')])
})

describe('the loader', () => {
  const original = (src: string) => createImageLoader({ sources: ['/media/'] })({ src, width: 640 })

  it.each(['/media/logo.svg', '/media/logo.SVG?v=2', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='])(
    'leaves %s as it is, silently',
    (src) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      expect(original(src)).toBe(src)
      expect(warn).not.toHaveBeenCalled()
      warn.mockRestore()
    },
  )

  it('a file with svg elsewhere in its name is resized', () => {
    expect(original('/media/logo.svg.png')).toContain('/_image/')
  })

  it.each([
    [
      'a source under no prefix',
      { src: '/other/cat.jpg', width: 640 },
      /sources: expected a prefix.*\/other\/cat\.jpg/,
    ],
    ['a query', { src: '/media/cat.jpg?w=1', width: 640 }, /'\?' at its end/],
    ['a width that the proxy refuses', { src: '/media/cat.jpg', width: 641 }, /width: expected one of .*got 641/],
  ])('the loader warns of %s once, and only in development', (_, image, message) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const loader = createImageLoader({ sources: ['/media/'] })
    for (let index = 0; index < 1000; index++) loader({ ...image, src: image.src.replace('cat', `cat${index}`) })
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^Images: /)]])
    expect(warn.mock.calls[0]?.[0].replace('cat0', 'cat')).toMatch(message)
    vi.stubEnv('NODE_ENV', 'production')
    createImageLoader({ sources: ['/media/'] })(image)
    expect(warn).toHaveBeenCalledTimes(1)
    vi.unstubAllEnvs()
    warn.mockRestore()
  })
})
