import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../cache/index.js'
import type { ImageSite } from './images.js'
import { createImages, type ImagesOptions } from './images.js'
import { imgproxy } from './imgproxy-service.js'
import { encodeSource } from './url.js'

const key = { key: 'aa', salt: 'bb' }
const request = (path: string) => new Request(`http://site.test${path}`)

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Creates images whose imgproxy answers with the URLs that it was asked for. */
function start(options: Partial<ImagesOptions> = {}, service = {}) {
  const urls: string[] = []
  const fetch = async ({ url }: Request) => {
    urls.push(url)
    return new Response('image', { headers: { 'Content-Type': 'image/avif', Vary: 'Accept' } })
  }
  const images = createImages({
    sources: ['/media/', 'https://cdn.example.com/photos/'],
    service: imgproxy({ serviceUrl: 'http://images.test', ...key, fetch, ...service }),
    log: () => {},
    ...options,
  })
  return { images, urls, get: (path: string) => images.handler(request(path)) }
}

describe('createImages', () => {
  it('looks for nothing but images in its cache, before which requests for pages come by', async () => {
    const store = memoryStore({ maxBytes: 1_000_000 })
    const read = vi.spyOn(store, 'get')
    const { images, get } = start({ cache: store })
    for (const path of ['/', '/_image2/a?width=640', '/page?_image/']) expect(await get(path)).toBeUndefined()
    expect(read).not.toHaveBeenCalled()
    expect((await images.handler(request(images.loader({ src: '/media/cat.jpg', width: 640 }))))?.status).toBe(200)
    expect(read).toHaveBeenCalled()
  })

  it('has prefix, widths and sources in one place', async () => {
    const { images, get } = start({ prefix: 'pictures', widths: [300, 600] })
    const { src, srcset } = images.srcSet({ src: '/media/cat.jpg', width: 300 })
    expect(srcset).toBe(
      `${images.loader({ src: '/media/cat.jpg', width: 300 })} 300w, ${src.replace('300', '600')} 600w`,
    )
    expect(src).toMatch(/^\/pictures\//)
    expect((await get(src))?.status).toBe(200)
    expect((await get(src.replace('=300', '=640')))?.status).toBe(400)
    expect(await get('/other')).toBe(undefined)
  })

  it('has ratios and focus in one place', async () => {
    const { images, urls, get } = start({ ratios: ['21:9'] })
    const cropped = { src: '/media/cat.jpg', width: 640, ratio: '21:9', focus: 'top' }
    expect((await get(images.srcSet(cropped).src))?.status).toBe(200)
    expect(urls[0]).toContain('/rs:fill-down:640:274/g:fp:0.5:0/')
    const without = start({ ratios: ['21:9'], focus: false })
    expect((await without.get(images.loader(cropped)))?.status).toBe(400)
    expect((await without.get(without.images.loader(cropped)))?.status).toBe(200)
    expect(without.urls).toEqual([expect.stringContaining('/rs:fill-down:640:274/g:sm/')])
  })

  it('asks imgproxy once for what it has, by local:// unless told otherwise', async () => {
    const { images, urls, get } = start()
    const url = images.loader({ src: '/media/cat.jpg', width: 640 })
    for (const _ of [1, 2, 3]) await (await get(url))?.text()
    expect(urls).toHaveLength(1)
    const sourceOf = (from: string[]) => Buffer.from(from[0]?.split('/').at(-1) as string, 'base64url').toString()
    expect(sourceOf(urls)).toBe('local:///media/cat.jpg')
    const other = start({}, { sourceBaseUrl: '' })
    await other.get(url)
    expect(sourceOf(other.urls)).toBe('/media/cat.jpg')
  })

  it('asks imgproxy once for one image, however many hosts anybody makes up', async () => {
    const { images, urls } = start()
    const visit = async (host: string, width: number) => {
      const path = images.loader({ src: '/media/cat.jpg', width })
      return (await images.handler(new Request(`http://${host}${path}`)))?.text()
    }
    for (let number = 0; number < 150; number++) expect(await visit(`h${number}.test`, 640)).toBe('image')
    expect(urls).toHaveLength(1)
    for (let number = 0; number < 5; number++) await visit('site.test', 750)
    expect(urls).toHaveLength(2)
  })

  it.each([
    'x-forwarded-host',
    'x-host',
    'forwarded',
    'x-original-url',
    'cookie',
    'authorization',
    'range',
    'if-match',
    'cache-control',
  ])('asks imgproxy once for one image, whatever anybody sends as %s', async (name) => {
    const { images, urls } = start()
    const url = `http://site.test${images.loader({ src: '/media/cat.jpg', width: 640 })}`
    for (const value of ['host=a', 'host=b', 'bytes=0-1', '"a"', 'no-store', 'only-if-cached']) {
      const answer = await images.handler(new Request(url, { headers: { [name]: value } }))
      expect([answer?.status, await answer?.text()]).toEqual([200, 'image'])
    }
    expect(urls).toHaveLength(1)
  })

  it('asks imgproxy once for one image, however often its HEAD is asked for', async () => {
    const { images, urls } = start()
    const url = `http://site.test${images.loader({ src: '/media/cat.jpg', width: 640 })}`
    const head = () => images.handler(new Request(url, { method: 'HEAD' }))
    for (const answer of await Promise.all([head(), head(), head()])) {
      expect([answer?.status, answer?.body]).toEqual([200, null])
      expect(answer?.headers.get('content-type')).toBe('image/avif')
    }
    await vi.waitFor(async () => expect((await head())?.headers.get('cache-status')).toContain('hit'))
    expect(await (await images.handler(new Request(url)))?.text()).toBe('image')
    expect(urls).toHaveLength(1)
  })

  it('waits two seconds for imgproxy where an image is stored', { timeout: 20_000 }, async () => {
    let isHanging = false
    const fetch = () =>
      isHanging
        ? new Promise<Response>(() => {})
        : Promise.resolve(new Response('image', { headers: { 'Content-Type': 'image/png' } }))
    const { images, get } = start({ maxAge: 0 }, { fetch, timeout: 60_000 })
    const url = images.loader({ src: '/media/cat.jpg', width: 640 })
    await (await get(url))?.text()
    isHanging = true
    for (const _ of [1, 2, 3]) expect(await (await get(url))?.text()).toBe('image')
  })

  it('takes no image of another imgproxy from a store', async () => {
    const cache = memoryStore({ maxBytes: 1e6 })
    const [one, two] = [start({ cache }), start({ cache }, { serviceUrl: 'http://other.test' })]
    const url = one.images.loader({ src: '/media/cat.jpg', width: 640 })
    for (const { get } of [one, two]) await (await get(url))?.text()
    expect([one.urls.length, two.urls.length]).toEqual([1, 1])
    expect((await start({ cache }, { key: '' }).get(url))?.status).toBe(500)
  })

  it('answers that it is not configured without URL, key or salt, as the environment of a new machine has it', async () => {
    const { images, get } = start({}, { serviceUrl: undefined })
    expect((await get(images.loader({ src: '/media/cat.jpg', width: 640 })))?.status).toBe(500)
  })

  it.each([
    ['the URL', { serviceUrl: undefined }, ['serviceUrl']],
    ['key and salt', { key: '', salt: undefined }, ['key', 'salt']],
  ])('says at creation that %s is missing and again at requests', async (_, service, missing) => {
    vi.stubEnv('NODE_ENV', 'production')
    const log = vi.fn()
    const { images, get } = start({ log }, service)
    expect(log.mock.calls).toEqual([['Image Proxy is not configured', { missing }]])
    await get(images.loader({ src: '/media/cat.jpg', width: 640 }))
    expect(log.mock.calls.slice(1)).toEqual([['Image Proxy is not configured', { missing }]])
  })

  it('says nothing of it while Next.js builds, without the environment of the server', () => {
    vi.stubEnv('NEXT_PHASE', 'phase-production-build')
    const log = vi.fn()
    start({ log }, { serviceUrl: undefined })
    expect(log).not.toHaveBeenCalled()
  })

  it.each([
    [401, 'image service rejected serviceSecret (401); compare it with the secret of the service'],
    [
      403,
      'image service rejected the signature or serviceSecret (403); compare key, salt and serviceSecret with those of the service',
    ],
    [302, 'redirects of the image service are not followed; check serviceUrl'],
  ])('explains status %i', async (status, reason) => {
    const log = vi.fn()
    const { images, get } = start({ log }, { fetch: async () => new Response(null, { status }) })
    await get(images.loader({ src: '/media/cat.jpg', width: 640 }))
    expect(log).toHaveBeenCalledWith(expect.any(String), { status, source: '/media/cat.jpg', reason })
  })

  it.each([
    [
      { serviceUrl: 'images.test' },
      "serviceUrl: expected a base URL such as 'https://imgproxy.example.com', got 'images.test'",
    ],
    [
      { serviceUrl: 'http://a:b@images.test' },
      'serviceUrl: expected a URL without user and password, which requests cannot have, got one with them; use serviceSecret for a bearer secret',
    ],
    [
      { serviceSecret: 'a\n' },
      'serviceSecret: expected printable ASCII without white space at its ends, got a malformed one; check for a line break at its end',
    ],
  ])('names the option of imgproxy that is malformed: %o', (service, message) => {
    expect(() => start({}, service)).toThrow(new TypeError(message))
  })

  it('purges by the source, however it is spelled, and no page tag', async () => {
    const { images, urls, get } = start()
    const url = images.loader({ src: '/media/größe.jpg', width: 640 })
    const read = async () => (await get(url))?.text()
    await read()
    await images.invalidate(['/media//gr%c3%b6ße.jpg'])
    await read()
    expect(urls).toHaveLength(2)
    expect(images.tagOf('/media/größe.jpg')).toBe('/media/gr%C3%B6%C3%9Fe.jpg')
    expect(images.tagOf('https://cdn.example.com/photos/a.jpg?v=1')).toBe(undefined)
    expect(images.tagOf('document')).toBe(undefined)
    // As a browser shows it.
    const address = images.srcSet({ src: '/media/größe.jpg', width: 640 }).src
    expect(images.tagOf(address)).toBe('/media/gr%C3%B6%C3%9Fe.jpg')
    expect(images.tagOf(address.replace(/\?.*/, ''))).toBe('/media/gr%C3%B6%C3%9Fe.jpg')
    expect(images.tagOf('/_image/x')).toBe(undefined)
    await images.invalidate([])
    await expect(images.invalidate('/media/cat.jpg' as never)).rejects.toThrow('invalidate: expected a list of sources')
    await expect(images.invalidate(['/other/cat.jpg'])).rejects.toThrow(
      "invalidate: expected paths or URLs under /media/, https://cdn.example.com/photos/, got '/other/cat.jpg'",
    )
  })

  it('tells the service of everything it needs', () => {
    const sites: ImageSite[] = []
    const sources = { '/media/': './media' }
    const service = (site: ImageSite) => {
      sites.push(site)
      return { proxy: {} }
    }
    createImages({ sources, service })
    expect(sites).toEqual([{ sources, cache: undefined, tagIndex: expect.anything(), log: undefined }])
  })

  it.each<[string, Partial<Record<keyof ImagesOptions, unknown>>, string]>([
    [
      'no service',
      { service: undefined },
      'service: expected sharpService() or imgproxy({ serviceUrl, key, salt }), got undefined',
    ],
    [
      'a service that was not called',
      { service: imgproxy },
      'service: expected sharpService() or imgproxy({ serviceUrl, key, salt }), got imgproxy itself; call it',
    ],
    ['no sources', { sources: undefined }, 'sources: expected prefixes with their folders'],
    ['an empty list', { sources: [] }, 'sources: expected a list of prefixes'],
    ['no widths', { widths: [] }, 'widths: expected whole numbers >= 1'],
    ['a ratio that is none', { ratios: ['16/9'] }, 'ratios: expected whole numbers of width and height'],
    ['a focus that is no switch', { focus: 'top' }, "focus: expected true or false, got 'top'"],
    ['a lifetime of no number', { maxAge: '5m' }, "maxAge: expected a whole number >= 0, got '5m'"],
  ])('refuses %s', (_, options, message) => {
    expect(() => start(options as Partial<ImagesOptions>)).toThrow(message)
  })
})

describe('what the proxy refuses', () => {
  const refuse = async (path: string) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { get } = start({ widths: [300, 600], ratios: ['16:9'] })
    for (const _ of [1, 2, 3]) expect((await get(path))?.status).toBeGreaterThanOrEqual(400)
    return warn.mock.calls.flat()
  }
  const cat = encodeSource('/media/cat.jpg')

  it.each([
    [
      '/_image',
      'Images: 400 Missing required parameters for /_image: expected /{prefix}/{source}?width={n}; write the URL with',
    ],
    [`/_image/${cat}?width=333`, 'width: expected one of 300, 600, got 333; add it to widths'],
    [
      `/_image/${cat}?width=300&q=75`,
      'expected only the parameters width, ratio, focus, got width, q; write the URL with',
    ],
    [
      `/_image/${cat}?width=300&v=1`,
      'expected only the parameters width, ratio, focus, and v with the option version, got width, v;',
    ],
    [`/_image/${cat}?width=300&ratio=5:4`, 'ratio: expected one of 16:9, got 5:4; add it to ratios'],
    [
      `/_image/${cat}?width=300&focus=3,7`,
      'focus: expected tenths such as 3,7 together with a ratio, got 3,7; write the URL',
    ],
    ['/_image/cat.jpg?width=300', "expected unpadded base64url of a source as the loader spells it, got ''"],
    [`/_image/${encodeSource('/medai/cat.jpg')}?width=300`, 'Images: 403 Source not allowed for'],
    [
      `/_image/${encodeSource('/medai/cat.jpg')}?width=300`,
      'sources: expected a prefix of /medai/cat.jpg, got /media/, https://cdn.example.com/photos/',
    ],
  ])('is told once in development: %s', async (path, text) => {
    expect(await refuse(path)).toEqual([expect.stringContaining(text)])
  })

  it('is told for each width, and 20 times at most', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { get } = start({ widths: [300] })
    for (let width = 1; width < 100; width++) await get(`/_image/${cat}?width=${width}`)
    expect(warn).toHaveBeenCalledTimes(20)
  })

  it('is not told in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(await refuse(`/_image/${cat}?width=333`)).toEqual([])
  })
})

describe('a version of other sources', () => {
  const versions = (...prefixes: string[]) => Object.assign(() => 'v1', { prefixes })

  it.each([['/medai/'], ['/medai/', '/mediation/']])('is refused: %s %s', (...prefixes) => {
    expect(() => start({ version: versions(...prefixes) })).toThrow(
      `version: expected versions of sources under /media/, https://cdn.example.com/photos/, got '${prefixes.join(', ')}'`,
    )
  })

  it.each([['/media/'], ['/media/cats/'], ['/'], ['/other/', '/media']])('is not: %s %s', (...prefixes) => {
    expect(() => start({ version: versions(...prefixes) })).not.toThrow()
  })
})

describe('a source that stays the original', () => {
  it('is warned of once for each first folder and kind, and 20 times at most', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { loader } = start().images
    for (const src of [
      '/medai/1.jpg',
      '/medai/2.jpg',
      '/photos/1.jpg',
      'https://a.test/x/1.jpg',
      'https://a.test/x/2.jpg',
    ])
      loader({ src, width: 64 })
    expect(warn.mock.calls.map(([message]) => message.replace(/.*original: /, ''))).toEqual([
      '/medai/1.jpg',
      '/photos/1.jpg',
      'https://a.test/x/1.jpg',
    ])
    for (let folder = 0; folder < 100; folder++) loader({ src: `/${folder}/1.jpg`, width: 64 })
    expect(warn).toHaveBeenCalledTimes(20)
  })

  it.each([undefined, null, 1])('is refused when it is %s', (src) => {
    expect(() => start().images.loader({ src: src as never, width: 64 })).toThrow(
      `src: expected a path or URL such as '/media/cat.jpg', got ${src}`,
    )
  })
})
