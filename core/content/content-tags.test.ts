import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { cacheable, deferred, rest, startCache } from '../cache/testing/harness.js'
import { createRevalidateEndpoint } from '../revalidate/index.js'
import { type ContentSource, type ContentTagsOptions, createContentTags } from './index.js'

/** A source whose answers are one entry or a list of entries, and whose payloads name one entry. */
const source: ContentSource = {
  tagsOfAnswer: ({ url, json, headers }) => {
    const field = headers.get('x-tags')
    if (field) return field.split(' ')
    if (!Array.isArray(json))
      return (json as { id?: string } | undefined)?.id ? [`post:${(json as { id: string }).id}`] : []
    return [...(url.endsWith('/posts') ? ['post'] : []), ...json.map(({ id }) => `post:${id}`)]
  },
  tagsOfPayload: (payload) => {
    const { id, type } = payload as { id?: string; type?: string }
    if (type === 'draft') return []
    return id === undefined ? undefined : [`post:${id}`, 'post']
  },
}

const api = 'https://cms.test'

function start(
  answers: Record<string, () => Response | Promise<Response>> = {},
  options: Partial<ContentTagsOptions> = {},
) {
  const log = vi.fn()
  const send = async (input: RequestInfo | URL) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const answer = answers[pathname]
    if (!answer) throw new TypeError('fetch failed')
    return answer()
  }
  const content = createContentTags({ sources: [source], fetch: send, log, ...options })
  const site = startCache({ content })
  const post = (payload: unknown) => {
    const endpoint = createRevalidateEndpoint({
      secret: 'secret',
      content,
      invalidate: site.invalidate,
    })
    const headers = { Authorization: 'Bearer secret' }
    return endpoint(
      new Request('https://site.test/api/revalidate', { method: 'POST', headers, body: JSON.stringify(payload) }),
    )
  }
  const read = async (path: string) => (await content.fetch(api + path)).json()
  return { content, site, post, read, log }
}

const tagsOf = ({ headers }: { headers: Headers }) => headers.get('cache-tag')?.split(',')
const json =
  (value: unknown, headers = {}) =>
  () =>
    Response.json(value, { headers })
const encoder = new TextEncoder()

it('an answer of 8 MiB is read once, and parsed once', async () => {
  const bytes = encoder.encode(JSON.stringify([{ id: '7', text: 'a'.repeat(8 * 1024 ** 2 - 100) }]))
  let [position, read] = [0, 0]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = bytes.slice(position, position + 65_536)
      if (chunk.length === 0) return controller.close()
      position += chunk.length
      read += chunk.length
      controller.enqueue(chunk)
    },
  })
  const { content } = start({ '/posts': () => new Response(body) })
  const parse = vi.spyOn(JSON, 'parse')
  const { tags } = await content.collect(async ({ fetch }) => (await fetch(`${api}/posts`)).json())
  expect(parse.mock.calls.filter(([text]) => text.length > 1000).length).toBeLessThanOrEqual(1)
  parse.mockRestore()
  expect(tags).toEqual(['post', 'post:7'])
  expect(read).toBe(bytes.length)
})

describe('the tags of an answer', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, id) => ({ id: String(id) }))
  const table: [string, () => Response | Promise<Response>, string[]][] = [
    ['one entry', json({ id: '7' }), ['post:7']],
    ['a list', json([{ id: '7' }, { id: '8' }]), ['post', 'post:7', 'post:8']],
    ['an empty list, which is outdated when an entry is added', json([]), ['post']],
    ['the header of a vendor', json({}, { 'X-Tags': 's1:a s1:b' }), ['s1:a', 's1:b']],
    ['an id with a comma, a space and an umlaut', json({ id: 'a, ü' }), ['post:a%2C %C3%BC']],
    ['an answer without ids', json({ weather: 'rain' }), ['any-content']],
    ['an answer that is not JSON', () => new Response('<html>'), ['any-content']],
    ['an answer without a body', () => new Response(null, { status: 204 }), ['any-content']],
    ['an error', () => Response.json({ error: 'broken' }, { status: 500 }), ['any-content']],
    ['text of more than 8 MiB', () => new Response('[{"id":"7"}]'.padEnd(9_000_000)), ['any-content']],
    ['a failed request', () => Promise.reject(new TypeError('fetch failed')), ['any-content']],
    [
      'an answer that breaks off',
      () => new Response(new ReadableStream({ pull: (body) => body.error(new Error('reset')) })),
      ['any-content'],
    ],
    ['200 entries', json(entries(199)), ['post', ...entries(199).map(({ id }) => `post:${id}`)]],
    ['5,000 entries', json(entries(5000)), ['any-content']],
  ]

  it.each(table)('a page gets the tags of %s', async (_, answer, tags) => {
    const { content, site } = start({ '/posts': answer })
    site.serve(async () =>
      cacheable(
        await content
          .fetch(`${api}/posts`)
          .then(async (response) => (await response.text()).trim())
          .catch(String),
      ),
    )
    expect(tagsOf(await site.get())).toEqual(['document', '/', ...tags])
    expect((await site.get()).cacheStatus).toContain('hit')
  })

  const ways: [string, (response: Response) => Promise<unknown>, string[]][] = [
    ['json', (response) => response.json(), ['post:7']],
    ['text', async (response) => JSON.parse(await response.text()), ['post:7']],
    ['arrayBuffer', async (response) => JSON.parse(new TextDecoder().decode(await response.arrayBuffer())), ['post:7']],
    ['a clone', (response) => response.clone().json(), ['post:7']],
    ['its stream', (response) => new Response(response.body).json(), ['any-content']],
    ['its status alone', async ({ ok }) => ok && entry, ['any-content']],
  ]
  const entry = { id: '7', title: 'Größe' }

  it.each(ways)('a page gets the tags of an answer that is read by %s', async (_, read, tags) => {
    const { content } = start({ '/post': json(entry, { 'X-Total': '1' }) })
    const collected = await content.collect(async () => {
      const response = await content.fetch(new Request(`${api}/post`))
      expect([response.status, response.headers.get('x-total'), response.bodyUsed]).toEqual([200, '1', false])
      return read(response)
    })
    expect(collected).toEqual({ value: entry, tags })
  })

  it('an answer that is read twice counts once', async () => {
    const { content } = start({ '/post': json(entry) })
    const { tags } = await content.collect(async () => {
      const response = await content.fetch(`${api}/post`)
      return [await response.clone().text(), await response.json()]
    })
    expect(tags).toEqual(['post:7'])
  })

  it('an answer of 100 MB is not read for its tags', async () => {
    let sent = 0
    const pull = (body: ReadableStreamDefaultController) => {
      if (sent++ === 1600) return body.close()
      body.enqueue(new Uint8Array(65_536))
    }
    const { content } = start({ '/large': () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 })) })
    await content.run(async () => {
      const { body } = await content.fetch(`${api}/large`)
      expect([sent, content.tags()]).toEqual([0, ['any-content']])
      await body?.cancel()
    })
  })

  it('a source that fails does not fail the page', async () => {
    const broken: ContentSource = {
      tagsOfAnswer: () => {
        throw new Error('no such field')
      },
      tagsOfPayload: () => undefined,
    }
    const { content, log } = start({ '/post': json({ id: '7' }) }, { sources: [source, broken] })
    const { value, tags } = await content.collect(async () => (await content.fetch(`${api}/post?token=1`)).json())
    expect([value, tags]).toEqual([{ id: '7' }, ['any-content']])
    expect(log).toHaveBeenCalledWith('Content tags: an answer cannot be read', {
      url: `${api}/post`,
      reason: 'no such field',
    })
  })
})

describe('a webhook', () => {
  it.each<[string, unknown, string[]]>([
    ['of an entry', { id: '7' }, ['post:7', 'post', 'any-content']],
    ['that concerns no page', { type: 'draft' }, []],
    ['of an unknown type', { hello: 'world' }, ['document']],
    ['that is not JSON', undefined, ['document']],
    ['that is null', null, ['document']],
  ])('getTags returns the tags for a webhook %s', (_, payload, tags) => {
    const { content, log } = start()
    expect(content.getTags(payload)).toEqual(tags)
    expect(log).toHaveBeenCalledTimes(tags[0] === 'document' ? 1 : 0)
  })

  it('a webhook purges the pages that show its entry, and no other page', async () => {
    const { site, post, read } = start({
      '/posts': json([{ id: '7' }]),
      '/posts/7': json({ id: '7' }),
      '/posts/8': json({ id: '8' }),
    })
    site.serve(async ({ url }) => cacheable(JSON.stringify(await read(new URL(url).pathname))))
    const paths = ['/posts', '/posts/7', '/posts/8']
    for (const path of paths) await site.get(path)
    expect((await post({ id: '7' }))?.status).toBe(200)
    const hits = await Promise.all(paths.map(async (path) => (await site.get(path)).cacheStatus.includes('; hit')))
    expect(hits).toEqual([false, false, true])
  })

  it('after a webhook between a read and the end of the render, the page is rendered again', async () => {
    const { site, post, read } = start({ '/posts/7': json({ id: '7' }) })
    const { promise, resolve } = deferred()
    site.serve(async () => {
      const value = JSON.stringify(await read('/posts/7'))
      await promise
      return cacheable(value)
    })
    const first = site.get()
    await rest()
    await post({ id: '7' })
    resolve()
    await first
    expect((await site.get()).cacheStatus).not.toContain('hit')
  })
})

describe('a render', () => {
  it('a page that reads content after its head is stored with the tags of this content, which is logged', async () => {
    const { site, post, read } = start({ '/posts/7': json({ id: '7' }), '/posts/8': json({ id: '8' }) })
    site.serve(async () => {
      await read('/posts/7')
      let sent = false
      const pull = async (body: ReadableStreamDefaultController) => {
        if (sent) return body.close()
        sent = true
        body.enqueue(encoder.encode(JSON.stringify(await read('/posts/8'))))
      }
      return cacheable(new ReadableStream({ pull }, { highWaterMark: 0 }))
    })
    expect(tagsOf(await site.get())).toEqual(['document', '/', 'post:7'])
    expect(site.log).toHaveBeenCalledWith('Response cache: tags came after the head, so no CDN has them', {
      url: 'https://site.test/',
    })
    expect(tagsOf(await site.get())).toEqual(['document', '/', 'post:7', 'post:8'])
    await post({ id: '8' })
    expect((await site.get()).cacheStatus).not.toContain('hit')
  })

  it('concurrent renders keep their tags apart', async () => {
    const { site, read } = start({ '/posts/7': json({ id: '7' }), '/posts/8': json({ id: '8' }) })
    site.serve(async ({ url }) => {
      await rest()
      return cacheable(JSON.stringify(await read(new URL(url).pathname)))
    })
    const pages = await Promise.all(['/posts/7', '/posts/8'].map((path) => site.get(path)))
    expect(pages.map((page) => tagsOf(page)?.slice(2))).toEqual([['post:7'], ['post:8']])
  })

  it('an inner page gets its own tags, and the outer page gets the tags of both, even if the inner page is stored', async () => {
    const { site, read } = start({ '/posts/7': json({ id: '7' }), '/posts/8': json({ id: '8' }) })
    site.serve(async ({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === '/posts/8') return cacheable(JSON.stringify(await read(pathname)))
      await read('/posts/7')
      return cacheable((await site.get('/posts/8')).body)
    })
    for (const path of ['/a', '/b']) {
      expect(tagsOf(await site.get(path))).toEqual(['document', path, '/posts/8', 'post:8', 'post:7'])
    }
    expect(tagsOf(await site.get('/posts/8'))).toEqual(['document', '/posts/8', 'post:8'])
  })

  it('neither a page nor the next render gets the tags of a read that ends after the render of the page', async () => {
    const { promise, resolve } = deferred<Response>()
    const { site, read, content } = start({ '/posts/7': json({ id: '7' }), '/late': () => promise })
    const lateReads: Promise<unknown>[] = []
    site.serve(async () => {
      lateReads.push(read('/late'))
      return cacheable(JSON.stringify(await read('/posts/7')))
    })
    await site.get('/a')
    site.serve(async () => {
      resolve(Response.json({ id: '9' }))
      await Promise.all(lateReads)
      return cacheable(JSON.stringify(await read('/posts/7')))
    })
    for (const path of ['/b', '/a']) expect(tagsOf(await site.get(path))).toEqual(['document', path, 'post:7'])
    expect(content.tags()).toBe(undefined)
  })

  it('neither the render of a visitor’s own request nor a read outside of a render notes tags', async () => {
    const { site, read, content } = start({ '/posts/7': json({ id: '7' }) })
    site.serve(async () => cacheable(JSON.stringify(await read('/posts/7'))))
    expect(tagsOf(await site.get('/', { Cookie: 'session=1' }))).toBe(undefined)
    content.add(['menu'])
    expect(await read('/posts/7')).toEqual({ id: '7' })
    expect(content.tags()).toBe(undefined)
  })

  it('a page gets the tags of a value that the site keeps, even if another page has read the value first', async () => {
    const { site, read, content } = start({ '/posts': json([{ id: '7' }]) })
    let menu: ReturnType<typeof content.collect> | undefined
    site.serve(async () => {
      menu ??= content.collect(() => read('/posts'))
      const { value, tags } = await menu
      content.add(tags)
      return cacheable(JSON.stringify(value))
    })
    const pages = await Promise.all(['/a', '/b'].map((path) => site.get(path)))
    for (const page of pages) expect(tagsOf(page)?.slice(2)).toEqual(['post', 'post:7'])
  })

  it('a page keeps its hand-written tags if its entries have too many tags', async () => {
    const { site, read, content } = start({ '/posts': json([{ id: '7' }, { id: '8' }]) }, { maxTags: 2 })
    site.serve(async () => {
      content.add(['content/about.md', '/media/cat.jpg'])
      return cacheable(JSON.stringify(await read('/posts')))
    })
    expect(tagsOf(await site.get())?.slice(2)).toEqual(['content/about.md', '/media/cat.jpg', 'any-content'])
  })

  it('a 304 keeps the tags of the stored page', async () => {
    const { site, post, read } = start({ '/posts/7': json({ id: '7' }) })
    site.serve(async ({ headers }) => {
      const body = JSON.stringify(await read('/posts/7'))
      const etag = '"1"'
      const fields = { ETag: etag, 'Cache-Control': 's-maxage=60' }
      if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: fields })
      return new Response(body, { headers: fields })
    })
    await site.get()
    site.advance(61)
    expect((await site.get()).cacheStatus).toContain('fwd=stale')
    expect(tagsOf(await site.get())).toEqual(['document', '/', 'post:7'])
    await post({ id: '7' })
    expect((await site.get()).cacheStatus).not.toContain('hit')
  })

  it('a 304 with a Cache-Tag, made without the content, keeps the tags of the content', async () => {
    const { site, post, read } = start({ '/posts/7': json({ id: '7' }) })
    const fields = { ETag: '"1"', 'Cache-Tag': 'list', 'Cache-Control': 's-maxage=60' }
    site.serve(async ({ headers }) => {
      if (headers.has('if-none-match')) return new Response(null, { status: 304, headers: fields })
      return new Response(JSON.stringify(await read('/posts/7')), { headers: fields })
    })
    await site.get()
    site.advance(61)
    expect((await site.get()).cacheStatus).toContain('fwd=stale')
    expect(tagsOf(await site.get())).toEqual(['list', 'document', '/', 'post:7'])
    await post({ id: '7' })
    expect((await site.get()).cacheStatus).not.toContain('hit')
  })
})

describe('the context of a render', () => {
  it('the context of a render can be passed as an option', async () => {
    const { content } = start({ '/posts/7': json({ id: '7' }) }, { context: new AsyncLocalStorage() })
    const { tags } = await content.collect(async () => (await content.fetch(`${api}/posts/7`)).json())
    expect(tags).toEqual(['post:7'])
  })

  it('on a platform without a context, collect passes the reads as an argument', async () => {
    vi.stubGlobal('process', { ...process, getBuiltinModule: undefined })
    const { content } = start({ '/posts/7': json({ id: '7' }) })
    vi.unstubAllGlobals()
    const { tags } = await content.collect(async (reads) => {
      reads.add(['menu'])
      await (await reads.fetch(`${api}/posts/7`)).json()
    })
    expect(tags).toEqual(['menu', 'post:7'])
    const message =
      'context: expected an AsyncLocalStorage, which this platform lacks; write content.collect((reads) => render(reads)), got undefined'
    expect(() => content.fetch(api)).toThrow(message)
    expect(() => content.run(() => 1)).toThrow(message)
  })
})
