// node --expose-gc growth-worker.js <entries> <tags>: sends nanoseconds of a hit and of a purge, and bytes of an entry.
import { createResponseCache, memoryStore, memoryTagIndex } from 'sitewright/cache'
import { median } from './cpu.js'

const [entries, tagCount] = process.argv.slice(2).map(Number)
const address = (index) => `http://site.test/pages/${index}`
// A tag of its own for each page, and others that it shares.
const tagsOf = (index) => [
  `page ${index}`,
  ...Array.from({ length: tagCount - 1 }, (_, tag) => `tag ${(index + tag) % 1000}`),
]

const store = memoryStore({ maxBytes: 64 * 1024 ** 3 })
const cache = createResponseCache({
  store,
  tagIndex: memoryTagIndex(),
  tags: ({ url }) => tagsOf(Number(url.split('/').at(-1))),
})
const bodyBytes = 200
let rendered = 0
const handle = cache.wrap(async () => {
  rendered++
  return new Response('x'.repeat(bodyBytes), {
    headers: { 'cache-control': 's-maxage=600', 'content-type': 'text/html' },
  })
})
await (await handle(new Request(address(0)))).text()
const { entry } = store.get(address(0))

const before = memory()
for (let index = 1; index < entries; index++) {
  store.set(address(index), {
    ...entry,
    tags: tagsOf(index),
    body: new Uint8Array(entry.body),
    headers: entry.headers.map(([...line]) => line),
  })
}
const bytes = (memory() - before) / entries - bodyBytes

rendered = 0
const requests = Array.from({ length: 1000 }, (_, index) => new Request(address(Math.floor((index * entries) / 1000))))
const hits = []
for (let round = 0; round < 30; round++) {
  const start = process.hrtime.bigint()
  for (const request of requests) await handle(request)
  hits.push(Number(process.hrtime.bigint() - start) / requests.length)
}
if (rendered !== 0) throw new Error('expected hits only')

const purges = []
for (let round = 0; round < 2000; round++) {
  const start = process.hrtime.bigint()
  await cache.invalidate([`tag ${round % 1000}`])
  purges.push(Number(process.hrtime.bigint() - start))
}
process.send({ hit: median(hits), purge: median(purges), bytes }, () => process.exit())

function memory() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
