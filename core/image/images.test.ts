import { afterEach, describe, expect, it, vi } from 'vitest'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { memoryStore } from '../cache/index.js'
import { createImages, type ImagesOptions } from './images.js'
import type { ImageSite } from './service.js'
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

it('two handlers of one prefix are noticed when one rejects the image of the other', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { images } = start({ sources: ['/only-here/'] })
  const { get } = start()
  expect((await get(images.loader({ src: '/only-here/cat.jpg', width: 640 })))?.status).toBe(403)
  expect(warn.mock.calls.flat()).toEqual([
    expect.stringMatching(
      /^Images: 403 Source not allowed .*: another createImages has the same prefix and this source/,
    ),
  ])
})

describe('createImages', () => {
  it('createImages looks up only images in its cache, not pages', async () => {
    const store = memoryStore({ maxBytes: 1_000_000 })
    const storeGet = vi.spyOn(store, 'get')
    const { images, get } = start({ cache: store })
    for (const path of ['/', '/_image2/a?width=640', '/page?_image/']) expect(await get(path)).toBeUndefined()
    expect(storeGet).not.toHaveBeenCalled()
    expect((await images.handler(request(images.loader({ src: '/media/cat.jpg', width: 640 }))))?.status).toBe(200)
    expect(storeGet).toHaveBeenCalled()
  })

  it('createImages has prefix, widths and sources in one place', async () => {
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

  it('createImages has ratios and focus in one place', async () => {
    const { images, urls, get } = start({ ratios: ['21:9'] })
    const cropped = { src: '/media/cat.jpg', width: 640, ratio: '21:9', focus: 'top' }
    expect((await get(images.srcSet(cropped).src))?.status).toBe(200)
    expect(urls[0]).toContain('/rs:fill-down:640:274/g:fp:0.5:0/')
    const without = start({ ratios: ['21:9'], focus: false })
    expect((await without.get(images.loader(cropped)))?.status).toBe(400)
    expect((await without.get(without.images.loader(cropped)))?.status).toBe(200)
    expect(without.urls).toEqual([expect.stringContaining('/rs:fill-down:640:274/g:sm/')])
  })

  it('createImages asks imgproxy once for an image, by local:// unless sourceBaseUrl says otherwise', async () => {
    const { images, urls, get } = start()
    const url = images.loader({ src: '/media/cat.jpg', width: 640 })
    for (const _ of [1, 2, 3]) await (await get(url))?.text()
    expect(urls).toHaveLength(1)
    const sourceOf = (from: string[]) => Buffer.from(from[0]?.split('/').at(-1) as string, 'base64url').toString()
    expect(sourceOf(urls)).toBe('local:///media/cat.jpg')
    const hosted = start({}, { sourceBaseUrl: '' })
    await hosted.get(url)
    expect(sourceOf(hosted.urls)).toBe('/media/cat.jpg')
  })

  it('createImages asks imgproxy once for an image, however many hosts clients make up', async () => {
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
  ])('createImages asks imgproxy once for an image, whatever clients send as %s', async (name) => {
    const { images, urls } = start()
    const url = `http://site.test${images.loader({ src: '/media/cat.jpg', width: 640 })}`
    for (const value of ['host=a', 'host=b', 'bytes=0-1', '"a"', 'no-store', 'only-if-cached']) {
      const answer = await images.handler(new Request(url, { headers: { [name]: value } }))
      expect([answer?.status, await answer?.text()]).toEqual([200, 'image'])
    }
    expect(urls).toHaveLength(1)
  })

  it('createImages asks imgproxy once for an image, however often its HEAD is requested', async () => {
    const { images, urls } = start()
    const url = `http://site.test${images.loader({ src: '/media/cat.jpg', width: 640 })}`
    const head = () => images.handler(new Request(url, { method: 'HEAD' }))
    for (const answer of await Promise.all([head(), head(), head()])) {
      expect([answer?.status, answer?.body]).toEqual([200, null])
      expect(answer?.headers.get('content-type')).toBe('image/avif')
    }
    await vi.waitFor(async () => expect((await head())?.headers.get('cache-status')).toContain('hit'), 20_000)
    expect(await (await images.handler(new Request(url)))?.text()).toBe('image')
    expect(urls).toHaveLength(1)
  })

  it('createImages waits at most two seconds for imgproxy if an image is stored', { timeout: 20_000 }, async () => {
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

  it('createImages takes no image of another imgproxy from a shared store', async () => {
    const cache = memoryStore({ maxBytes: 1e6 })
    const [one, two] = [start({ cache }), start({ cache }, { serviceUrl: 'http://other.test' })]
    const url = one.images.loader({ src: '/media/cat.jpg', width: 640 })
    for (const { get } of [one, two]) await (await get(url))?.text()
    expect([one.urls.length, two.urls.length]).toEqual([1, 1])
    expect((await start({ cache }, { key: '' }).get(url))?.status).toBe(500)
  })

  it('without URL, key or salt, as on a new machine, createImages answers that it is not configured', async () => {
    const { images, get } = start({}, { serviceUrl: undefined })
    expect((await get(images.loader({ src: '/media/cat.jpg', width: 640 })))?.status).toBe(500)
  })

  it.each([
    ['the URL', { serviceUrl: undefined }, ['serviceUrl']],
    ['key and salt', { key: '', salt: undefined }, ['key', 'salt']],
  ])('the log says at creation that %s is missing, and again at requests', async (_, service, missing) => {
    vi.stubEnv('NODE_ENV', 'production')
    const log = vi.fn()
    const { images, get } = start({ log }, service)
    expect(log.mock.calls).toEqual([['Image Proxy is not configured', { missing }]])
    await get(images.loader({ src: '/media/cat.jpg', width: 640 }))
    expect(log.mock.calls.slice(1)).toEqual([['Image Proxy is not configured', { missing }]])
  })

  it('the log does not name missing options during `next build`, which lacks the environment of the server', () => {
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
  ])('the log explains the status %i of imgproxy', async (status, reason) => {
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
  ])('the error names the malformed option of imgproxy: %o', (service, message) => {
    expect(() => start({}, service)).toThrow(new TypeError(message))
  })

  it('invalidate purges an image by its source, however it is spelled, and accepts no page tag', async () => {
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
    // Spelled as in a browser's address bar.
    const address = images.srcSet({ src: '/media/größe.jpg', width: 640 }).src
    expect(images.tagOf(address)).toBe('/media/gr%C3%B6%C3%9Fe.jpg')
    expect(images.tagOf(address.replace(/\?.*/, ''))).toBe('/media/gr%C3%B6%C3%9Fe.jpg')
    expect(images.tagOf(address.replace('?', '/?'))).toBe('/media/gr%C3%B6%C3%9Fe.jpg')
    expect(images.tagOf('/_image/x')).toBe(undefined)
    await images.invalidate([])
    await expect(images.invalidate('/media/cat.jpg' as never)).rejects.toThrow('invalidate: expected a list of sources')
    await expect(images.invalidate(['/other/cat.jpg'])).rejects.toThrow(
      "invalidate: expected paths or URLs under /media/, https://cdn.example.com/photos/, got '/other/cat.jpg'",
    )
  })

  it('createImages passes the service everything it needs', () => {
    const sites: ImageSite[] = []
    const sources = { '/media/': './media' }
    const service = (site: ImageSite) => {
      sites.push(site)
      return { getImage: () => ({ status: 404, details: {} }), describe: () => Promise.reject(new Error('no')) }
    }
    createImages({ sources, service })
    expect(sites).toEqual([{ sources, cache: undefined, tagIndex: expect.anything(), maxAge: 300, log: undefined }])
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
    ['a malformed ratio', { ratios: ['16/9'] }, 'ratios: expected whole numbers of width and height'],
    ['a focus that is not a boolean', { focus: 'top' }, "focus: expected true or false, got 'top'"],
    ['a lifetime that is not a number', { maxAge: '5m' }, "maxAge: expected a whole number >= 0, got '5m'"],
  ])('createImages rejects %s', (_, options, message) => {
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
  ])('a URL that the proxy rejects causes one warning in development: %s', async (path, text) => {
    expect(await refuse(path)).toEqual([expect.stringContaining(text)])
  })

  it('each rejected width causes a warning, and there are at most 20 warnings', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { get } = start({ widths: [300] })
    for (let width = 1; width < 100; width++) await get(`/_image/${cat}?width=${width}`)
    expect(warn).toHaveBeenCalledTimes(20)
  })

  it('a URL that the proxy rejects causes no warning in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(await refuse(`/_image/${cat}?width=333`)).toEqual([])
  })
})

describe('a version of other sources', () => {
  const versions = (...prefixes: string[]) => Object.assign(() => 'v1', { prefixes })

  it.each([['/medai/'], ['/medai/', '/mediation/']])(
    'versions of sources that the site does not have are rejected: %s %s',
    (...prefixes) => {
      expect(() => start({ version: versions(...prefixes) })).toThrow(
        `version: expected versions of sources under /media/, https://cdn.example.com/photos/, got '${prefixes.join(', ')}'`,
      )
    },
  )

  it.each([['/media/'], ['/media/cats/'], ['/'], ['/other/', '/media']])(
    'versions of the sources of the site are accepted: %s %s',
    (...prefixes) => {
      expect(() => start({ version: versions(...prefixes) })).not.toThrow()
    },
  )
})

describe('a source that stays the original', () => {
  it('a source that stays the original causes one warning for each first folder and kind, and at most 20', () => {
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

  it.each([undefined, null, 1])('a source of %s is rejected', (src) => {
    expect(() => start().images.loader({ src: src as never, width: 64 })).toThrow(
      `src: expected a path or URL such as '/media/cat.jpg', got ${src}`,
    )
  })
})

describe('an unmounted handler', () => {
  const render = (images: ReturnType<typeof start>['images']) => images.srcSet({ src: '/media/cat.jpg', width: 64 })

  it('an unmounted handler causes one warning if pages have URLs and no request comes', () => {
    vi.useFakeTimers()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { images } = start()
    for (let index = 0; index < 1000; index++) render(images)
    vi.advanceTimersByTime(60_000)
    render(images)
    vi.advanceTimersByTime(60_000)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('no request has reached images.handler; mount it')]])
  })

  it('an unmounted handler causes the warning even after a single page, and the warning says where to mount it', () => {
    vi.useFakeTimers()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    start().images.loader({ src: '/media/cat.jpg', width: 64 })
    vi.advanceTimersByTime(10_000)
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/; mount it with the adapter of your server, .*, before the routes of pages$/)],
    ])
  })

  it.each([
    ['a request came', async ({ get }: ReturnType<typeof start>) => void (await get('/about'))],
    [
      'there are no URLs of images',
      async ({ images }: ReturnType<typeof start>) => void images.loader({ src: '/logo.svg', width: 64 }),
    ],
  ])('an unmounted handler causes no warning if %s', async (_, prepare) => {
    vi.useFakeTimers()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const started = start()
    await prepare(started)
    if (_ === 'a request came') render(started.images)
    vi.advanceTimersByTime(60_000)
    expect(warn).not.toHaveBeenCalled()
  })

  it('an unmounted handler causes no warning in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    vi.useFakeTimers()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    render(start().images)
    expect(vi.getTimerCount()).toBe(0)
    expect(warn).not.toHaveBeenCalled()
  })
})
