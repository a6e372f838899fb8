import { getEventListeners } from 'node:events'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryStore, tieredStore } from '../../core/cache/index.js'
import type { ServedImage } from '../../core/image/service.js'
import { diskStore } from '../disk/index.js'
import { folderWith } from '../disk/testing/folder.js'
import { startOrigin } from './testing/origin.js'
import { photograph, truncated } from './testing/originals.js'
import { avif, bytesOf, startService, type TestSize, urlOf, webp } from './testing/service.js'

let folder: string
beforeAll(async () => {
  folder = await folderWith({ 'photo.jpg': photograph, 'corrupt.jpg': await truncated('jpeg') })
})
const url = urlOf('/media/photo.jpg')
const start = (options: Partial<Parameters<typeof startService>[0]> = {}) =>
  startService({ sources: { '/media/': folder }, ...options })

const waitUntil = async (condition: () => Promise<boolean> | boolean) => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('the response', () => {
  test('a response has type, length, entity tag, caching and security headers', async () => {
    const response = await start().get(url, avif)
    const body = await bytesOf(response)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'image/avif',
      'content-length': String(body.length),
      etag: expect.stringMatching(/^"avif:[\w-]{43}"$/),
      'cache-control': 'public, max-age=300, stale-if-error=86400',
      'cache-tag': '/media/photo.jpg',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  test('the response to HEAD equals the response to GET, without the body', async () => {
    const service = start()
    const [get, head] = [await service.get(url, avif), await service.get(url, avif, { method: 'HEAD' })]
    expect([head.status, [...head.headers]]).toEqual([get.status, [...get.headers]])
    expect(head.body).toBe(null)
    const missing = await service.get(urlOf('/media/missing.jpg'), {}, { method: 'HEAD' })
    expect(missing.status).toBe(404)
  })
})

describe('a repeated request decodes nothing', () => {
  test('a repeated request is answered from memory', async () => {
    const service = start()
    const bodies: Buffer[] = []
    for (let index = 0; index < 5; index++) bodies.push(await bytesOf(await service.get(url, avif)))
    expect(bodies.every((body) => body.equals(bodies[0] as Buffer))).toBe(true)
    expect([service.count('transform'), service.count('load'), service.count('hit')]).toEqual([1, 1, 4])
  })

  test('after a restart, a repeated request is answered from the disk, without reading the original', async () => {
    const directory = await folderWith()
    const open = () => diskStore({ directory, maxBytes: 1e9 })
    const firstService = start({ cache: tieredStore([memoryStore({ maxBytes: 1e7 }), open()]) })
    const firstResponse = await firstService.get(url, avif)
    await waitUntil(async () => (await readdir(directory)).filter((name) => name.endsWith('.entry')).length === 2)
    const restarted = start({ cache: open() })
    const second = await restarted.get(url, avif)
    expect([...second.headers]).toEqual([...firstResponse.headers])
    expect(await bytesOf(second)).toEqual(await bytesOf(firstResponse))
    expect([restarted.count('transform'), restarted.count('load'), restarted.count('hit')]).toEqual([0, 0, 1])
  })

  test('there are few variants, however the Accept headers differ', async () => {
    const service = start()
    for (const accept of [
      'image/avif,image/webp',
      'image/webp,image/avif,*/*',
      'image/avif;q=0.9,image/webp',
      ...Array.from({ length: 50 }, (_, index) => `image/avif,image/webp,text/x${index}`),
    ]) {
      await service.get(url, { accept })
    }
    expect(service.count('transform')).toBe(1)
    for (const accept of ['image/webp', '*/*', 'image/*', '']) await service.get(url, { accept })
    expect(service.count('transform')).toBe(3)
  })

  test('a copy of the file, or a new modification time, is the same image', async () => {
    const folder = await folderWith({ 'one.jpg': photograph, 'two.jpg': photograph })
    const service = startService({ sources: { '/media/': folder } })
    const tags = [await service.get(urlOf('/media/one.jpg'), avif), await service.get(urlOf('/media/two.jpg'), avif)]
    await utimes(join(folder, 'one.jpg'), 5, 5)
    tags.push(await service.get(urlOf('/media/one.jpg'), avif))
    expect(new Set(tags.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    expect([service.count('transform'), service.count('load')]).toEqual([1, 3])
  })

  test('a file that was replaced is another image', async () => {
    const own = await folderWith({ 'one.jpg': photograph })
    const service = startService({ sources: { '/media/': own } })
    const first = await service.get(urlOf('/media/one.jpg'), avif)
    await writeFile(join(own, 'one.jpg'), await sharp(photograph).negate().jpeg().toBuffer())
    const second = await service.get(urlOf('/media/one.jpg'), avif)
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
    expect(service.count('transform')).toBe(2)
  })

  test('a corrupt original is read again, and rendered once it is replaced', async () => {
    const own = await folderWith({ 'one.jpg': await truncated('jpeg') })
    const service = startService({ sources: { '/media/': own } })
    expect((await service.get(urlOf('/media/one.jpg'))).status).toBe(422)
    await writeFile(join(own, 'one.jpg'), photograph)
    expect((await service.get(urlOf('/media/one.jpg'))).status).toBe(200)
  })
})

describe('entity tags', () => {
  test('entity tags are the same on every instance, and differ by format, size and quality', async () => {
    const [one, two] = [start(), start({ concurrency: 1, cache: memoryStore({ maxBytes: 1 }) })]
    const tagOf = async (service: typeof one, size?: TestSize, headers = avif) =>
      (await service.get(urlOf('/media/photo.jpg', size), headers)).headers.get('etag')
    expect(await tagOf(one)).toBe(await tagOf(two))
    const tags = [
      await tagOf(one, 320),
      await tagOf(one, 321),
      await tagOf(one, { width: 320, ratio: '16:9' }),
      await tagOf(one, { width: 320, ratio: '16:9', focus: { x: 0, y: 1 } }),
      await tagOf(one, 320, webp),
    ]
    expect(new Set(tags).size).toBe(5)
    expect(await tagOf(start({ quality: { avif: 30 } }))).not.toBe(await tagOf(one))
  })

  test('a known entity tag is answered with 304 without decoding, also by an instance that has not rendered the image', async () => {
    const etag = (await start().get(url, avif)).headers.get('etag') as string
    const service = start()
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await service.get(url, { ...avif, 'if-none-match': value })
      expect([response.status, response.body]).toEqual([304, null])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        ...(value !== '*' && { etag: value.startsWith('W/') ? value : etag }),
        vary: 'Accept',
        'cache-control': 'public, max-age=300, stale-if-error=86400',
      })
    }
    // For `*`, it is rendered.
    expect([service.count('transform'), service.count('load')]).toEqual([1, 2])
  })

  test('a condition of `*` reads the original once, because the client has not shown that it has the image', async () => {
    const service = start()
    for (let count = 0; count < 3; count++) {
      const response = await service.get(url, { ...avif, 'if-none-match': '*' })
      expect([response.status, response.body]).toEqual([304, null])
    }
    expect([service.count('hit'), service.count('transform'), service.count('load')]).toEqual([2, 1, 1])
  })

  test('a client whose entity tags do not match gets the image', async () => {
    const service = start()
    const response = await service.get(url, { ...avif, 'if-none-match': '"old"' })
    expect([response.status, (await bytesOf(response)).length > 0]).toEqual([200, true])
    const etag = response.headers.get('etag') as string
    expect((await service.get(url, { ...webp, 'if-none-match': etag })).status).toBe(200)
  })

  test('entity tags are ignored if there is no image', async () => {
    for (const name of ['missing.jpg', 'corrupt.jpg']) {
      const response = await start().get(urlOf(`/media/${name}`), { 'if-none-match': '"x"' })
      expect(response.status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('concurrent requests', () => {
  test('fifty identical concurrent requests are one transform', async () => {
    const service = start()
    const responses = await Promise.all(Array.from({ length: 50 }, () => service.get(url, avif)))
    const bodies = await Promise.all(responses.map(bytesOf))
    expect(bodies.every((body) => body.equals(bodies[0] as Buffer))).toBe(true)
    expect([service.count('transform'), service.count('load')]).toEqual([1, 1])
  })

  test('of fifty concurrent requests, those with the entity tag get 304, and the others get the image', async () => {
    const etag = (await start().get(url, avif)).headers.get('etag') as string
    const service = start()
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => service.get(url, index % 2 ? { ...avif, 'if-none-match': etag } : avif)),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map((_, index) => (index % 2 ? 304 : 200)))
    expect([service.count('transform'), service.count('load')]).toEqual([1, 1])
  })

  test('requests beyond the queue get 503, and the others are served', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `${index}.jpg`)
    const files = names.map((name, index) => [name, Buffer.concat([photograph, Buffer.alloc(index)])])
    // Two originals are in memory, and five wait.
    const sources = { '/media/': await folderWith(Object.fromEntries(files)) }
    const service = start({ sources, concurrency: 1, maxQueue: 5 })
    const responses = await Promise.all(names.map((name) => service.get(urlOf(`/media/${name}`), avif)))
    const busy = responses.filter(({ status }) => status === 503)
    expect(busy.length).toBe(13)
    expect(
      busy.every(({ headers }) => headers.get('retry-after') === '1' && headers.get('cache-control') === 'no-store'),
    ).toBe(true)
    expect(await busy[0]?.json()).toEqual({ error: 'Image service is busy' })
    expect(service.lastFailure()).toMatch(/^The image service is busy/)
    expect(service.count('transform')).toBe(7)
    expect((await service.get(urlOf('/media/19.jpg', 500), avif)).status).toBe(200)
  })

  test('requests of clients that disconnect leave the queue', async () => {
    const service = start({ concurrency: 1 })
    const client = new AbortController()
    const running = service.get(urlOf('/media/photo.jpg', 900), avif)
    const aborted = Array.from({ length: 10 }, (_, index) =>
      service.get(urlOf('/media/photo.jpg', index + 1), avif, { signal: client.signal }),
    )
    const stays = service.get(urlOf('/media/photo.jpg', 1), avif)
    await new Promise((resolve) => setImmediate(resolve))
    client.abort(new Error('gone'))
    for (const { status } of await Promise.all(aborted)) expect(status).toBe(502) // which nobody gets
    expect([(await running).status, (await stays).status]).toEqual([200, 200])
    expect(service.count('transform')).toBe(2)
    expect(service.logged).toEqual([])
  })
})

describe('the status of a failure', () => {
  test.each([
    ['/media/missing.jpg', 404, 'Image not found'],
    ['/media/corrupt.jpg', 422, 'Image could not be processed'],
  ])('%s is an error', async (source, status, error) => {
    const response = await start().get(urlOf(source), avif)
    expect([response.status, await response.json()]).toEqual([status, { error }])
  })

  test('an unexpected error is 502, and its message is logged but not sent', async () => {
    const service = start()
    const throwing = vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
      throw new Error('secret path /srv')
    })
    const response = await service.get(url)
    throwing.mockRestore()
    expect([response.status, await response.json()]).toEqual([502, { error: 'Image service failed' }])
    expect(service.logged[0]?.detail).toMatchObject({ status: 500, failure: 'secret path /srv' })
  })
})

describe('the wait of a visitor', () => {
  const hang = async () => {
    const { origin, stop } = await startOrigin(() => {})
    onTestFinished(() => void stop())
    return { sources: { [`${origin}/`]: true as const }, url: urlOf(`${origin}/photo.jpg`) }
  }

  test('an image that takes too long is 504', async () => {
    const { sources, url } = await hang()
    const service = start({ sources, allowNetworks: ['127.0.0.0/8'], waitTimeout: 50 })
    const response = await service.get(url)
    expect([response.status, await response.json()]).toEqual([504, { error: 'Image service timed out' }])
    expect(service.logged[0]?.detail).toMatchObject({ reason: 'not done within 50 ms' })
  })

  test('no listener outlives the wait of a visitor who leaves, and nothing is logged', async () => {
    const { sources, url } = await hang()
    const service = start({ sources, allowNetworks: ['127.0.0.0/8'] })
    const leaving = new AbortController()
    const waiting = service.handler(new Request(url, { signal: leaving.signal }))
    leaving.abort(new Error('left'))
    await waiting
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
    expect(service.logged).toEqual([])
  })

  test('a stored image of a file is sent without signal, timer or stream, and without a copy of its bytes', async () => {
    const { service, get } = start()
    await get(url, avif)
    await get(url, avif)
    for (const name of ['AbortController', 'ReadableStream', 'setTimeout', 'Response'] as const) {
      vi.stubGlobal(name, () => {
        throw new Error(`${name} was used`)
      })
    }
    onTestFinished(() => void vi.unstubAllGlobals())
    const image = { source: '/media/photo.jpg', width: 320, ratio: undefined, focus: undefined, version: undefined }
    const client = { formats: ['avif', 'webp'] as const, etags: [], modifiedSince: null, needsBody: () => true }
    const signal = vi.fn()
    const [first, second] = [1, 2].map(() => service.getImage(image, { ...client, signal, onBodyError() {} }))
    expect(first).toMatchObject({ status: 200, type: 'image/avif', vary: 'Accept' })
    expect((first as ServedImage).body).toBe((second as ServedImage).body)
    expect(signal).not.toHaveBeenCalled()
  })
})

test('three broken originals give three log lines, each with its source as text, however often they are requested', async () => {
  const own = await folderWith({ 'a.jpg': 'broken', 'b.jpg': 'broken', 'c d.jpg': 'broken' })
  const service = startService({ sources: { '/media/': own } })
  const sources = ['/media/a.jpg', '/media/b.jpg', '/media/c%20d.jpg']
  for (let round = 0; round < 5; round++) {
    for (const source of sources) expect((await service.get(urlOf(source))).status).toBe(422)
  }
  expect([...new Set(service.logged.map(({ detail }) => detail.source))]).toEqual(sources)
})

test('any number of addresses that an origin fails for gives 101 log lines a minute', async () => {
  const { origin, stop } = await startOrigin((_, res) => void res.writeHead(500).end())
  onTestFinished(() => void stop())
  const service = startService({ sources: { [`${origin}/`]: true }, allowNetworks: ['127.0.0.0/8'] })
  const ask = async (name: number) => expect((await service.get(urlOf(`${origin}/${name}.jpg`))).status).toBe(502)
  for (let name = 0; name < 120; name++) await ask(name)
  expect(service.logged).toHaveLength(101)
})
