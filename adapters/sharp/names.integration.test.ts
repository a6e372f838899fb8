import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImageLoader } from '../../core/image/index.js'
import { folderWith } from '../disk/testing/folder.js'
import { startOrigin } from './testing/origin.js'
import { photograph } from './testing/originals.js'
import { startService } from './testing/service.js'

const names = [
  'größe 2.jpg',
  'a+b (1), [c] & d@e;f=g:h.jpg',
  '100%.jpg',
  '100%25.jpg',
  'what?#.jpg',
  'end ',
  '🐈|^.jpg',
  '..jpg',
]
let origin: Awaited<ReturnType<typeof startOrigin>>
let folder: string
beforeAll(async () => {
  folder = await folderWith(Object.fromEntries(names.map((name) => [name, photograph])))
  origin = await startOrigin((_, res) => res.end(photograph))
})
afterAll(() => origin.stop())

function start() {
  const sources = { '/media/': folder, [`${origin.origin}/photos/`]: true, [`${origin.origin}/api/?`]: true } as const
  const service = startService({ sources, allowNetworks: ['127.0.0.0/8'] })
  const prefixes = Object.keys(sources)
  const load = createImageLoader({ sources: prefixes })
  return {
    ...service,
    load,
    statusOf: async (src: string) => (await service.get(`http://site.test${load({ src, width: 64 })}`)).status,
  }
}

test.each(names)('a file named %j is found, however the page escapes it', async (name) => {
  const { statusOf } = start()
  const strict = encodeURIComponent(name)
  expect(await statusOf(`/media/${strict}`)).toBe(200)
  expect(await statusOf(`/media/./${strict.toLowerCase().replace('%f0', '%F0')}/`)).toBe(200)
  if (!/[%?#]| $/.test(name)) expect(await statusOf(`/media/${name}`)).toBe(200)
})

test.each(['/a+b (1)/', '/a%2Bb%20%281%29/', '/a+b (1)'])(
  'a prefix is the same, however it is escaped: %s',
  async (prefix) => {
    const { get } = startService({ sources: { [prefix]: folder } })
    const path = createImageLoader({ sources: [prefix] })({ src: '/a+b%20(1)/..jpg', width: 64 })
    expect((await get(`http://site.test${path}`)).status).toBe(200)
  },
)

test('a remote image is fetched as it is spelled, with its own query, and rendered once', async () => {
  const { statusOf, count, load } = start()
  const paths = ['/photos/1.jpg', '/photos//1.jpg', '/photos/%31.jpg', '/photos/1.jpg/', '/photos/a%2Fb+%2b.jpg']
  const queries = ['?id=1', '?%69d=1', '?id=2'].map((query) => `/api/image${query}`)
  for (const path of [...paths, ...queries, ...paths]) expect(await statusOf(origin.origin + path)).toBe(200)
  expect(origin.requests).toEqual([...paths, ...queries])
  expect(count('transform')).toBe(1) // the originals have the same bytes
  const versioned = `${origin.origin}/photos/1.jpg?v=2`
  expect(load({ src: versioned, width: 64 })).toBe(versioned)
})
