import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createImages, imgproxy } from '../../image/index.js'
import { createRevalidateEndpoint } from '../../revalidate/index.js'
import { createResponseCache, memoryStore, memoryTagIndex } from '../index.js'

type Options = Partial<Parameters<typeof createResponseCache>[0]>
const store = () => memoryStore({ maxBytes: 1_000_000 })

/** A cache that has answered nothing yet. */
function start(options: Options = {}) {
  const cache = createResponseCache({ store: store(), ...options })
  const answer = async (tags: string) => {
    const handler = cache.wrap(async () => new Response('', { headers: { 'Cache-Tag': tags } }))
    await (await handler(new Request('http://site.test/'))).text()
  }
  return { invalidate: cache.invalidate, answer }
}

/** Images of an imgproxy, one of which was asked for. */
async function startImages(tagIndex = memoryTagIndex()) {
  const fetch = async () => new Response('image', { headers: { 'Content-Type': 'image/avif' } })
  const service = imgproxy({ serviceUrl: 'http://images.test', key: 'aa', salt: 'bb', fetch })
  const images = createImages({ sources: ['/media/', 'https://cdn.test/'], service, tagIndex })
  const path = images.loader({ src: '/media/cat.jpg', width: 640 })
  await (await images.handler(new Request(`http://site.test${path}`)))?.text()
  return images
}

const warn = vi.spyOn(console, 'warn')
const invalidations = () => warn.mock.calls.filter(([text]) => String(text).startsWith('invalidate'))
beforeEach(() => {
  warn.mockReset().mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a purge of a tag that no response has had', () => {
  it('is warned of once, with the tags there are', async () => {
    const { invalidate, answer } = start()
    await answer('menu')
    for (let index = 0; index < 1000; index++) await invalidate(['documents'])
    expect(invalidations()).toEqual([
      [
        "invalidate: expected a tag of a response, got 'documents'; since the start, responses have had menu, document. If its pages were not visited since, all is well; else compare the Cache-Tag of a page with what is purged",
      ],
    ])
  })

  it('has at most 20 warnings, whatever is purged', async () => {
    const { invalidate, answer } = start()
    await answer('menu')
    for (let index = 0; index < 1000; index++) await invalidate([`tag-${index}`])
    expect(invalidations()).toHaveLength(20)
  })

  it('is warned of where the pages of the cache have no tag document', async () => {
    const { invalidate, answer } = start({ tags: [] })
    await answer('menu')
    await invalidate(['document'])
    expect(invalidations()).toHaveLength(1)
  })

  it.each([
    ['before the first response', async () => {}, ['documents']],
    ['of the default tag', async (answer: (tags: string) => Promise<void>) => answer(''), ['document']],
    [
      'that it has percent-encoded',
      async (answer: (tags: string) => Promise<void>) => answer('gr%C3%B6%C3%9Fe'),
      ['größe'],
    ],
    [
      'together with one that there is',
      async (answer: (tags: string) => Promise<void>) => answer('menu'),
      ['menu', 'x'],
    ],
    [
      'that is the path of a picture',
      async (answer: (tags: string) => Promise<void>) => answer('menu'),
      ['/media/größe.jpg'],
    ],
    [
      'that is the URL of a picture',
      async (answer: (tags: string) => Promise<void>) => answer('menu'),
      ['https://cdn.test/cat.jpg'],
    ],
  ])('is not %s', async (_, prepare, tags) => {
    const { invalidate, answer } = start()
    await prepare(answer)
    await invalidate(tags)
    expect(invalidations()).toEqual([])
  })

  it('is not where only another cache has answered', async () => {
    const [api, pages] = [start(), start()]
    await api.answer('menu')
    await pages.invalidate(['articles'])
    expect(invalidations()).toEqual([])
  })

  it('is not where another cache with the same index has it', async () => {
    const tagIndex = memoryTagIndex()
    const [api, pages] = [start({ tagIndex }), start({ tagIndex })]
    await api.answer('menu')
    await pages.answer('articles')
    await pages.invalidate(['menu'])
    expect(invalidations()).toEqual([])
  })

  it.each([
    ['of its own', undefined],
    ['of the images as well', memoryTagIndex()],
  ])('is not for pages that nobody has visited, beside pictures that were, with an index %s', async (_, tagIndex) => {
    await startImages(tagIndex)
    const { invalidate } = start({ tagIndex })
    await invalidate(['document'])
    expect(invalidations()).toEqual([])
  })

  it('is not for a picture that nobody has asked for, purged by the endpoint', async () => {
    const [images, { invalidate, answer }] = [await startImages(), start()]
    await answer('menu')
    const endpoint = createRevalidateEndpoint({ secret: 'token', invalidate, images })
    const headers = { Authorization: 'Bearer token' }
    const url = 'http://site.test/api/revalidate?path=/media/dog.jpg'
    expect((await endpoint(new Request(url, { method: 'POST', headers })))?.status).toBe(200)
    expect(invalidations()).toEqual([])
  })

  it('is not in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { invalidate, answer } = start()
    await answer('menu')
    await invalidate(['documents'])
    expect(warn).not.toHaveBeenCalled()
  })
})
