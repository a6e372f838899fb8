// One measurement of one cache, in a process of its own that begins with an empty memory:
// node --expose-gc cache-worker.js <purge|flood> <name of the cache> <pages>. Sends its result to the parent.
import { caches, page, visit } from './caches.js'

const [task, name, count] = process.argv.slice(2)
const pages = Number(count)
const address = (index) => `http://site.test/pages/${index}`
process.send(await { purge, flood }[task](), () => process.exit())

/** Nanoseconds that it takes to purge a tag that one page bears, and one that all the others bear. */
async function purge() {
  let rendered = 0
  const render = (url) => {
    rendered++
    return page(url, 200)
  }
  const tagOf = (url) => (url === address(0) ? 'one' : 'all')
  const { handle, put, purge } = caches[name]({ render, tagOf, maxBytes: 16 * 1024 ** 3, items: 2 * pages })
  if (!purge) return null
  for (let index = 0; index < pages; index++) await put(address(index))

  rendered = 0
  const last = address(pages - 1)
  await visit(handle, last)
  if (rendered !== 0) throw new Error(`${name} does not hold ${pages} pages`)
  const times = { one: [], all: [] }
  for (let round = 0; round < 5000; round++) {
    for (const tag of ['one', 'all']) {
      const start = process.hrtime.bigint()
      await purge(tag)
      times[tag].push(Number(process.hrtime.bigint() - start))
    }
  }
  await visit(handle, last)
  if (rendered !== 1) throw new Error(`${name} serves a page that was purged`)
  return { one: median(times.one), all: median(times.all) }
}

/** Bytes that a cache of 64 MiB holds after a flood of distinct URLs with 2 KB each, and by how much the process grew. */
async function flood() {
  const pageBytes = 2048
  const maxBytes = 64 * 1024 ** 2
  const { handle } = caches[name]({ render: (url) => page(url, pageBytes), maxBytes, items: maxBytes / pageBytes })
  await visit(handle, address('first'))
  const before = memory()
  for (let index = 0; index < pages; index++) {
    await visit(handle, address(index))
    // A server comes to rest between requests, and only then is freed what waits for it.
    if (index % 100 === 0) await new Promise(setImmediate)
  }
  const after = memory()
  await visit(handle, address(pages - 1)) // the cache is still needed, so that nothing of it is collected
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
