// One measurement of one cache, in a new process:
// node --expose-gc cache-worker.js <purge|flood> <name of the cache> <pages>. Sends its result to the parent.
import { caches, createPage, fetchText } from './caches.js'

const [task, name, count] = process.argv.slice(2)
const pages = Number(count)
const address = (index) => `http://site.test/pages/${index}`
process.send(await { purge, flood }[task](), () => process.exit())

/** Returns the nanoseconds for purging a tag of one page, and a tag of all other pages. */
async function purge() {
  let rendered = 0
  const render = (url) => {
    rendered++
    return createPage(url, 200)
  }
  const tagOf = (url) => (url === address(0) ? 'one' : 'all')
  const { handle, put, purge } = caches[name]({ render, tagOf, maxBytes: 16 * 1024 ** 3, items: 2 * pages })
  if (!purge) return null
  for (let index = 0; index < pages; index++) await put(address(index))

  rendered = 0
  const last = address(pages - 1)
  await fetchText(handle, last)
  if (rendered !== 0) throw new Error(`${name} does not hold ${pages} pages`)
  const times = { one: [], all: [] }
  for (let round = 0; round < 5000; round++) {
    for (const tag of ['one', 'all']) {
      const start = process.hrtime.bigint()
      await purge(tag)
      times[tag].push(Number(process.hrtime.bigint() - start))
    }
  }
  await fetchText(handle, last)
  if (rendered !== 1) throw new Error(`${name} serves a page that was purged`)
  return { one: median(times.one), all: median(times.all) }
}

/** Returns the bytes that a cache of 64 MiB holds after many distinct URLs of 2 KB each, and the growth of the process. */
async function flood() {
  const pageBytes = 2048
  const maxBytes = 64 * 1024 ** 2
  const { handle } = caches[name]({
    render: (url) => createPage(url, pageBytes),
    maxBytes,
    items: maxBytes / pageBytes,
  })
  await fetchText(handle, address('first'))
  const before = memory()
  for (let index = 0; index < pages; index++) {
    await fetchText(handle, address(index))
    // A server is idle between requests. Some memory is freed only then.
    if (index % 100 === 0) await new Promise(setImmediate)
  }
  const after = memory()
  await fetchText(handle, address(pages - 1)) // a use of the cache, so that it is not garbage-collected
  return { held: after.held - before.held, resident: after.resident - before.resident }
}

function memory() {
  globalThis.gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { held: heapUsed + external, resident: rss }
}

function median(times) {
  return times.sort((a, b) => a - b)[times.length >> 1]
}
