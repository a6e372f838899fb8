import { expect, it, vi } from 'vitest'
import { withCookies } from '../cache/index.js'
import { cacheable, startCache } from '../cache/testing/harness.js'
import { type ContentSource, createContentTags } from '../content/index.js'
import { createPreview, sharedSecret } from './index.js'

const secret = 's'.repeat(32)
const preview = createPreview({ secret, verify: [sharedSecret({ secret: 'of the CMS' })] })
const opened = await preview.handler(new Request('https://site.test/api/preview?secret=of+the+CMS'))
const cookie = opened?.headers.getSetCookie()[0]?.split(';')[0] as string

it('a made-up cookie gets the stored page, and a valid one a page of its own', async () => {
  const site = startCache({ bypass: preview.bypass })
  site.serve((request) => cacheable(preview.isOn(request) ? 'draft' : 'published'))
  const draft = await site.get('/', { Cookie: cookie })
  expect([draft.body, draft.cacheStatus]).toEqual(['draft', 'sitewright; fwd=bypass; fwd-status=200; detail=bypass'])
  expect(draft.headers.get('cache-control')).toBe('private, no-store')
  expect(draft.headers.get('x-robots-tag')).toBe('noindex')
  expect(draft.headers.get('content-security-policy')).toBe("frame-ancestors 'self'")
  expect(draft.headers.has('cache-tag')).toBe(false)
  expect((await site.get()).body).toBe('published')
  for (const made of ['sitewright-preview=made-up', `${cookie}x`, `x${cookie}`, 'session=1']) {
    const { body, cacheStatus, headers } = await site.get('/', { Cookie: made })
    expect([body, cacheStatus]).toEqual(['published', expect.stringContaining('; hit')])
    expect(headers.has('x-robots-tag')).toBe(false)
  }
  expect(site.requests).toHaveLength(2)
})

it('no combination of bypass functions loses the headers of a draft, and other own answers have none', async () => {
  const isSession = withCookies('session')
  const site = startCache({ bypass: (request) => isSession(request) || preview.bypass(request) })
  const read = async (Cookie: string) => (await site.get('/', { Cookie })).headers.get('x-robots-tag')
  expect([await read(cookie), await read('session=1'), await read(`a=1; ${cookie}`)]).toEqual([
    'noindex',
    null,
    'noindex',
  ])
})

it('in front of an app, a draft has the headers, too', async () => {
  const site = startCache({ bypass: preview.bypass })
  site.serve((request) => new Response(preview.isOn(request) ? 'draft' : 'published'))
  const draft = await site.inFront(new Request('https://site.test/', { headers: { Cookie: cookie } }))
  expect([await draft.text(), draft.headers.get('cache-control')]).toEqual(['draft', 'private, no-store'])
})

it('a page that is not published yet is a draft for editors and missing for all others, also once it was previewed', async () => {
  const site = startCache({ bypass: preview.bypass })
  let isPublished = false
  site.serve((request) => (preview.isOn(request) || isPublished ? cacheable('new') : cacheable('', {}, 404)))
  const read = async (Cookie?: string) => (await site.get('/de/neu', Cookie ? { Cookie } : {})).status
  expect([await read(), await read(cookie), await read()]).toEqual([404, 200, 404])
  isPublished = true
  await site.invalidate(['/de/neu'])
  expect(await read()).toBe(200)
})

it("a draft's content is read from the draft API, notes no tags, and its answers are nobody else's", async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo) => {
    const { url } = new Request(input)
    asked.push(url)
    return Response.json({ id: url.includes('draft') ? 'draft' : 'published' })
  })
  const source: ContentSource = {
    tagsOfAnswer: ({ json }) => [(json as { id: string }).id],
    tagsOfPayload: () => undefined,
  }
  const content = createContentTags({ sources: [source] })
  const draft = (url: URL) => url.searchParams.set('version', 'draft')
  const own = createPreview({ secret, verify: [sharedSecret({ secret: 'of the CMS', draft })] })
  const site = startCache({ bypass: own.bypass, content })
  site.serve(async (request) => {
    const answer = await own.fetch(request, content.fetch)('https://cms.test/a')
    const { id } = await answer.json()
    return cacheable(`${id} ${content.tags()}`)
  })
  expect((await site.get('/', { Cookie: cookie })).body).toBe('draft undefined')
  expect((await site.get()).body).toBe('published published')
  const [editor, visitor] = await Promise.all([site.get('/b', { Cookie: cookie }), site.get('/b')])
  expect([editor.body, visitor.body]).toEqual(['draft undefined', 'published published'])
  expect([editor.headers.get('cache-tag'), visitor.headers.get('cache-tag')]).toEqual([null, 'document,/b,published'])
  expect(asked.filter((url) => url.includes('draft'))).toHaveLength(2)
})
