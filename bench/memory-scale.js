// Processor time of a hit, by the number of entries and of tags, with store and tag index in memory. After `npm run build`:
// NODE_ENV=production node bench/memory-scale.js
import { createResponseCache, memoryStore, memoryTagIndex } from 'sitewright/cache'

const rows = {}
async function measure(name, work, count = 100_000) {
  for (let round = 0; round < 5_000; round++) await work(round)
  const before = process.cpuUsage()
  for (let round = 0; round < count; round++) await work(round)
  const { user, system } = process.cpuUsage(before)
  rows[name] = { µs: Math.round(((user + system) / count) * 100) / 100 }
  console.error(name, rows[name])
}

const tagIndex = memoryTagIndex({ maxPurgedTags: 4e6 })
const store = memoryStore({ maxBytes: 16 * 1024 ** 3 })
const pages = createResponseCache({ store, tagIndex })
const urlOf = (number) => `https://site.test/${number}`
const handle = pages.wrap(async (request) => {
  const count = Number(new URL(request.url).searchParams.get('tags') ?? 1)
  const tags = Array.from({ length: count }, (_, number) => `tag-${number}`).join(',')
  return new Response('page', { headers: { 'Cache-Control': 's-maxage=86400', 'Cache-Tag': tags } })
})
const read = async (url) => (await handle(new Request(url))).text()

await read(urlOf(0))
const { entry } = store.get(urlOf(0))
let filled = 0
for (const entries of [1e3, 1e4, 1e5, 1e6]) {
  for (; filled < entries; filled++) store.set(urlOf(filled), { ...entry })
  await measure(`hit, of ${entries} entries`, () => read(urlOf(Math.floor(Math.random() * entries))))
}
for (const tags of [1, 10, 100, 1000]) {
  const url = `${urlOf(0)}?tags=${tags}`
  await read(url)
  await measure(`hit, ${tags} tags`, () => read(url))
  const purgeAndRead = (round) => {
    tagIndex.purge([`other-${round}`], 'hard')
    return read(url)
  }
  await measure(`hit after a purge of another tag, ${tags} tags`, purgeAndRead, 20_000)
}
let purged = 0
for (const tags of [1e3, 1e4, 1e5, 1e6]) {
  for (; purged < tags; purged++) tagIndex.purge([`document-${purged}`], 'hard')
  await measure(`purge of a tag, of ${tags}`, () =>
    tagIndex.purge([`document-${Math.floor(Math.random() * tags)}`], 'hard'),
  )
}
console.table(rows)
