import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { createUpstreamFetch, nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { normalizeImageAccept } from '../../core/image/image-response.js'
import { encodeSource } from '../../core/image/url.js'
import { listen } from '../adapter/listen.js'
import { imageOf, serviceKey, startImgproxy } from './imgproxy.js'

const original = Buffer.from('the original')
const accepts = { avif: 'image/avif,image/webp,*/*', webp: 'image/webp,*/*', jpeg: '*/*' }
const closing: (() => Promise<unknown>)[] = []
let folder: string
let imgproxy: Awaited<ReturnType<typeof startImgproxy>>
let origin: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  folder = await folderWith()
  imgproxy = await startImgproxy({ root: folder, allowLoopback: true })
  // A web server like nginx, with a weak tag and a weak comparison.
  origin = await listen((req, res) => {
    const isKnown = /(?:^|[ ,])(?:W\/)?"v1"/.test(req.headers['if-none-match'] ?? '')
    res.writeHead(isKnown ? 304 : 200, { ETag: 'W/"v1"' }).end(isKnown ? undefined : original)
  })
  closing.push(imgproxy.close, origin.close, () => rm(folder, { recursive: true }))
})
beforeEach(async () => {
  await writeFile(join(folder, 'cat.jpg'), original)
  imgproxy.seen.length = 0
})
afterAll(() => Promise.all(closing.map((close) => close())))

/** A site over a real socket, whose images imgproxy makes. `maxAge`: of the response cache's entries, in seconds. */
async function startSite({ isCached = false } = {}) {
  const upstream = createUpstreamFetch()
  const proxy = createImageProxy({
    ...serviceKey,
    serviceUrl: imgproxy.url,
    sources: ['/', `${origin.url}/`],
    sourceBaseUrl: 'local://',
    fetch: upstream,
    log: () => {},
  })
  const store = memoryStore({ maxBytes: 1_000_000 })
  const pages = createResponseCache({ store, bypass: () => false, fields: { Accept: normalizeImageAccept } })
  // Instead of waiting for an hour, each response is stale immediately, and may be confirmed.
  const expiring: typeof proxy = async (request) => {
    const response = await proxy(request)
    response?.headers.set('Cache-Control', 'max-age=0, stale-if-error=60')
    return response
  }
  const site = await listen(nodeListener(isCached ? pages.wrap(expiring) : proxy))
  closing.unshift(site.close, upstream.close)
  return async (headers: Record<string, string>, source = '/cat.jpg') => {
    const response = await fetch(`${site.url}/_image/${encodeSource(source)}?width=640`, { headers })
    const etag = response.headers.get('etag') ?? ''
    return { status: response.status, etag, body: Buffer.from(await response.arrayBuffer()) }
  }
}

describe.each([{ isCached: false }, { isCached: true }])('entity tags, response cache: $isCached', (options) => {
  test.each(['local', 'http'])(
    'each format has its own entity tag, which the service confirms with 304: %s',
    async (kind) => {
      const get = await startSite(options)
      const source = kind === 'local' ? '/cat.jpg' : `${origin.url}/cat.jpg`
      const tags: string[] = []
      for (const [format, Accept] of Object.entries(accepts)) {
        const { status, etag, body } = await get({ Accept }, source)
        expect([status, body]).toEqual([200, imageOf(format, original)])
        tags.push(etag)
        imgproxy.seen.length = 0
        expect(await get({ Accept, 'If-None-Match': etag }, source)).toEqual({
          status: 304,
          etag,
          body: Buffer.from(''),
        })
        expect(await get({ Accept, 'If-None-Match': `"other", ${etag}` }, source)).toMatchObject({ status: 304, etag })
        expect(await get({ Accept, 'If-None-Match': `W/${etag}`.replace('W/W/', 'W/') }, source)).toMatchObject({
          status: 304,
          etag,
        })
        expect(imgproxy.seen[0]?.['if-none-match']).toMatch(kind === 'local' ? /^"[\w-]{22}"$/ : /^W\/"v1"$/)
      }
      expect(new Set(tags).size).toBe(3)
    },
  )

  test('a client that has AVIF but no longer accepts it gets another format, as when a browser opens an image in a tab', async () => {
    const get = await startSite(options)
    const { etag } = await get({ Accept: accepts.avif })
    for (const format of ['webp', 'jpeg'] as const) {
      const { status, body } = await get({ Accept: accepts[format], 'If-None-Match': etag })
      expect([status, body]).toEqual([200, imageOf(format, original)])
    }
  })

  test('the entity tag of a changed original gets 200', async () => {
    const get = await startSite(options)
    const { etag } = await get({ Accept: accepts.avif })
    await writeFile(join(folder, 'cat.jpg'), 'another')
    const { status, body } = await get({ Accept: accepts.avif, 'If-None-Match': etag })
    expect([status, body]).toEqual([200, imageOf('avif', Buffer.from('another'))])
  })

  test('the entity tag of an original that was replaced by an older file gets 200', async () => {
    const get = await startSite(options)
    const { etag } = await get({ Accept: accepts.avif })
    await writeFile(join(folder, 'cat.jpg'), 'an older one')
    await utimes(join(folder, 'cat.jpg'), 1_000_000, 1_000_000)
    const since = new Date().toUTCString()
    const { status, body } = await get({ Accept: accepts.avif, 'If-None-Match': etag, 'If-Modified-Since': since })
    expect([status, body]).toEqual([200, imageOf('avif', Buffer.from('an older one'))])
  })
})
