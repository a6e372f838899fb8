import { Hono } from 'hono'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inFrontOf } from '../../adapters/express/index.js'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { redisStore } from '../../adapters/redis/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import { verifySanity } from '../../adapters/webhooks/index.js'
import { defaultWidths } from '../../core/image/url.js'
import * as core from '../../core/index.js'
import { createBearerVerifier } from '../../core/revalidate/authorize.js'
import { findPage } from '../../core/styleguide/internal.js'

// Mistakes of users of JavaScript: positions in place of an object, a text in place of a number, a list in place of a
// text, and no `await`.

type Any = ReturnType<typeof JSON.parse>
const store = core.memoryStore({ maxBytes: 1 })
const cache = core.createResponseCache({ store }) as Any
const sources = { '/media/': '.' }
const images = core.createImages({ sources, service: sharpService({ isolation: 'none' }) }) as Any
const loader = core.createImageLoader({ sources: ['/media/'] }) as Any
const src = '/media/cat.jpg'
const later = Promise.resolve()
const { createImages, createResponseCache, createRevalidateEndpoint, imageSrcSet, splitSpacing, withCookies } =
  core as Any

const write = "write images.srcSet({ src: '/media/cat.jpg', width: 640 })"
const aSource = "expected a path or URL such as '/media/cat.jpg'"
const notAwaited = 'got a promise that was not awaited'

it.each<[string, () => unknown, string]>([
  [
    'loader(src, width)',
    () => loader(src, 640),
    "loader: expected an object, got a string; write loader({ src: '/media/cat.jpg', width: 640 })",
  ],
  [
    'loader()',
    () => loader(),
    "loader: expected an object, got undefined; write loader({ src: '/media/cat.jpg', width: 640 })",
  ],
  ['loader without src', () => loader({ width: 640 }), `src: ${aSource}, got undefined`],
  ['loader with a list', () => loader({ src: [src], width: 640 }), `src: ${aSource}, got a list`],
  ['loader with a promise', () => loader({ src: later, width: 640 }), `src: ${aSource}, ${notAwaited}`],
  ['srcSet(src, width)', () => images.srcSet('/x', 640), `srcSet: expected an object, got a string; ${write}`],
  ['srcSet()', () => images.srcSet(), `srcSet: expected an object, got undefined; ${write}`],
  [
    'srcSet with a list',
    () => images.srcSet([{ src, width: 640 }]),
    `srcSet: expected an object, got a list; ${write}`,
  ],
  ['srcSet with a promise', () => images.srcSet(later), `srcSet: expected an object, ${notAwaited}; ${write}`],
  [
    'sizes with a list',
    () => images.srcSet({ src, width: 640, sizes: ['100vw'] }),
    'sizes: expected a string, got a list',
  ],
  [
    'width in px',
    () => images.srcSet({ src, width: '640px' }),
    `width: expected the maximum display width in CSS pixels, a number > 0, got '640px'; src is ${src}`,
  ],
  [
    'imageSrcSet(loader, …)',
    () => imageSrcSet(loader, src, 640),
    "imageSrcSet: expected an object, got a function; write imageSrcSet({ loader, src: '/media/cat.jpg', width: 640 })",
  ],
  ['tagOf with a list', () => images.tagOf([src]), `tagOf: ${aSource}, got a list`],
  ['tagOf()', () => images.tagOf(), `tagOf: ${aSource}, got undefined`],
  [
    'images.invalidate(src)',
    () => images.invalidate(src),
    `invalidate: expected a list of sources, such as ['/media/cat.jpg'], got '${src}'`,
  ],
  ['images.invalidate with a number', () => images.invalidate([1]), `tagOf: ${aSource}, got 1`],
  [
    'no folder',
    () => createImages({ sources: {}, service: sharpService() }),
    "sources: expected prefixes with their folders, such as { '/media/': './media' }, got an empty object",
  ],
  [
    'cache.invalidate(tag)',
    () => cache.invalidate('document'),
    "tags: expected a list of one or more tags, such as ['document'], got 'document'",
  ],
  [
    'cache.invalidate(tags, mode)',
    () => cache.invalidate(['document'], 'soft'),
    "invalidate: expected an object, got a string; write invalidate(['document'], { mode: 'soft' })",
  ],
  [
    'cache.invalidate with an unknown option',
    () => cache.invalidate(['document'], { soft: true }),
    'soft: expected one of the options mode, got an unknown one',
  ],
  [
    'wrap(app)',
    () => cache.wrap(new Hono()),
    'handler: expected a function that takes a Request, got an object; an app: pass app.fetch',
  ],
  [
    'createResponseCache(store)',
    () => createResponseCache(store),
    'write createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })',
  ],
  ['a store that is not awaited', () => createResponseCache({ store: later }), notAwaited],
  ['a client that is not awaited', () => redisStore({ client: later as Any }), notAwaited],
  ['a secret that is not awaited', () => createRevalidateEndpoint({ secret: later, invalidate: () => {} }), notAwaited],
  ['a secret that is not awaited', () => createBearerVerifier(later as Any), notAwaited],
  ["a CMS's secret that is not awaited", () => verifySanity({ secret: later as Any }), notAwaited],
  ['a handler that is not awaited', () => honoMiddleware(later as Any), notAwaited],
  [
    'withCookies(list)',
    () => withCookies(['session']),
    "withCookies: expected names of cookies, such as 'session', got a list",
  ],
  [
    'inFrontOf({ cache }, app)',
    () => inFrontOf({ cache } as Any, () => {}),
    'inFrontOf: expected a cache of createResponseCache, got an object',
  ],
  [
    'inFrontOf(app, cache)',
    () => inFrontOf((() => {}) as Any, cache),
    'inFrontOf: expected a cache of createResponseCache, got a function',
  ],
  [
    'inFrontOf(cache)',
    () => inFrontOf(cache, undefined as Any),
    'inFrontOf: expected an app, such as express(), got undefined',
  ],
  [
    'inFrontOf(cache, cache)',
    () => inFrontOf(cache, cache),
    'inFrontOf: expected an app, such as express(), got an object',
  ],
  [
    'the params of Next.js as a slug',
    () => findPage({ title: 'Guide' }, { slug: ['a'] } as Any),
    "slug: expected a path such as 'foundations/colors', or a list, got an object",
  ],
  ['params that are not awaited', () => findPage({ title: 'Guide' }, later as Any), notAwaited],
  [
    'splitSpacing()',
    () => splitSpacing(),
    "splitSpacing: expected an object, got undefined; write splitSpacing({ marginXs: 'base' })",
  ],
  [
    'splitSpacing(text)',
    () => splitSpacing('base'),
    "splitSpacing: expected an object, got a string; write splitSpacing({ marginXs: 'base' })",
  ],
])('%s says what to write', async (_, call, text) => {
  const error = (await (async () => call())().catch((thrown) => thrown)) as TypeError
  expect(error).toBeInstanceOf(TypeError)
  expect(error.message).toMatch(/^\w+: expected .+, got .+/)
  expect(error.message).toContain(text)
})

describe('the loader', () => {
  const warn = vi.spyOn(console, 'warn')
  beforeEach(() => void warn.mockReset().mockImplementation(() => {}))
  const allowed = defaultWidths.join(', ')
  it.each<[unknown, string | undefined]>([
    [640, undefined],
    ['640', "expected a number such as 640, got the string '640'"],
    ['640px', "expected a number such as 640, got the string '640px'; the proxy answers 400"],
    [641, `expected one of ${allowed}, got 641; the proxy answers 400`],
    [undefined, 'expected a number such as 640, got undefined; the proxy answers 400'],
    [[640], 'expected a number such as 640, got a list; the proxy answers 400'],
  ])('the loader accepts the width %j, and warns in development: %s', (width, text) => {
    const load = core.createImageLoader({ sources: ['/media/'] }) as Any
    for (let call = 0; call < 2; call++) expect(load({ src, width })).toContain(`?width=${width}`)
    expect(warn.mock.calls).toEqual(text === undefined ? [] : [[`Images: width: ${text}`]])
  })
})
