import type { ServerResponse } from 'node:http'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { memoryTagIndex } from '../../core/cache/index.js'
import { sourceTag } from '../../core/image/internal.js'
import { startOrigin } from './testing/origin.js'
import { photograph } from './testing/originals.js'
import { startService, urlOf, webp } from './testing/service.js'

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const start = async () => {
  const { origin, requests, stop } = await startOrigin((_, res) => void res.end(photograph))
  stops.push(stop)
  const sources = { [`${origin}/`]: true as const }
  const service = startService({ sources, allowNetworks: ['127.0.0.0/8'] })
  return { service, source: `${origin}/photo.jpg`, requests }
}

const conditions: [string, Record<string, string>][] = [
  ['If-None-Match: *', { 'if-none-match': '*' }],
  ['If-None-Match: * between spaces', { 'if-none-match': ' * ' }],
  ['If-None-Match: "made-up"', { 'if-none-match': '"made-up"' }],
  ['If-None-Match: *, "made-up"', { 'if-none-match': '*, "made-up"' }],
  ['If-None-Match: "webp:made-up"', { 'if-none-match': '"webp:made-up"' }],
  ['If-Match: "made-up"', { 'if-match': '"made-up"' }],
  ['If-Modified-Since', { 'if-modified-since': new Date().toUTCString() }],
  ['Range', { range: 'bytes=0-0' }],
  ['If-Range', { range: 'bytes=0-0', 'if-range': '"made-up"' }],
]

test.each(conditions)(
  '%s: a remote original of which nothing was rendered is fetched once, however often it is requested',
  async (_, condition) => {
    const { service, source, requests } = await start()
    const headers = { ...webp, ...condition }
    const isAny = condition['if-none-match']?.trim() === '*'
    for (const method of ['GET', 'HEAD']) {
      const statuses: unknown[] = []
      for (let index = 0; index < 3; index++) {
        const response = await service.get(urlOf(source.replace('photo', method)), headers, { method })
        statuses.push(response.status)
      }
      expect([method, ...statuses]).toEqual([method, ...Array(3).fill(isAny ? 304 : 200)])
    }
    // The originals have the same bytes, so they are rendered once.
    expect([requests.length, service.count('transform')]).toEqual([2, 1])
  },
)

test('the entity tag of a client is confirmed by one fetch, without rendering', async () => {
  const { service, source, requests } = await start()
  const etag = (await service.get(urlOf(source), webp)).headers.get('etag') ?? ''
  const restarted = startService({ sources: { [source]: true }, allowNetworks: ['127.0.0.0/8'] })
  for (let index = 0; index < 3; index++) {
    expect((await restarted.get(urlOf(source), { ...webp, 'if-none-match': etag })).status).toBe(304)
  }
  expect([requests.length, restarted.count('transform')]).toEqual([2, 0])
})

test('an original is fetched once for all of its images that are requested at the same time', async () => {
  const { service, source, requests } = await start()
  const images = Array.from({ length: 12 }, (_, index) => service.get(urlOf(source, 100 + index), webp))
  for (const { status } of await Promise.all(images)) expect(status).toBe(200)
  expect([requests.length, service.count('transform')]).toEqual([1, 12])
})

test('a client that comes after a purge gets no original whose fetch began before the purge', async () => {
  const tagIndex = memoryTagIndex()
  const waiting: ServerResponse[] = []
  const { origin, stop } = await startOrigin((_, res) => void waiting.push(res))
  stops.push(stop)
  const service = startService({ sources: { [`${origin}/`]: true }, allowNetworks: ['127.0.0.0/8'], tagIndex })
  const source = `${origin}/photo.jpg`
  const staleResponse = service.get(urlOf(source), webp)
  await expect.poll(() => waiting.length).toBe(1)
  await tagIndex.purge([sourceTag(source) as string], 'hard')
  const freshResponse = service.get(urlOf(source), webp)
  await expect.poll(() => waiting.length).toBe(2)
  const newBytes = await sharp(photograph).negate().jpeg().toBuffer()
  for (const [index, body] of [photograph, newBytes].entries()) waiting[index]?.end(body)
  const etags = (await Promise.all([staleResponse, freshResponse])).map(({ headers }) => headers.get('etag'))
  expect(new Set(etags).size).toBe(2)
})
