// Response caches: the cost of a hit and of a purge, and the memory after many URLs.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { caches, createPage, fetchText } from './caches.js'
import { compare } from './compare.js'
import { record } from './figures.js'

const names = Object.keys(caches)
// A million takes some minutes for each cache.
const floodPages = Number(process.env.FLOOD ?? 200_000)
const purgePages = 1_000_000

export async function benchCache() {
  await benchCall()
  await benchPurge()
  await benchFlood()
}

/** Without a server: the cache and the creation of a Response. */
async function benchCall() {
  const render = (url) => createPage(url, 10_000)
  const request = new Request('http://site.test/page')
  const calls = {}
  for (const name of names) {
    const { handle } = caches[name]({ render, tagOf: () => 'document', maxBytes: 64 * 1024 ** 2, items: 1000 })
    await fetchText(handle, request.url)
    calls[name] = () => handle(request)
  }
  await compare('A hit as a function call', { ...calls, 'a constant response': async () => render(request.url) })
}

async function benchPurge() {
  console.log(`\nPurging a tag on ${purgePages.toLocaleString('en')} pages, and its ratio to one on a single page`)
  const found = {}
  for (const name of names) {
    process.stderr.write(`\r  ${name} `)
    const times = await measure('purge', name, purgePages)
    process.stderr.write('\r\x1b[K')
    if (times) found[name] = times.all / 1000
    const result = times
      ? `${(times.all / 1000).toFixed(1).padStart(7)} µs  ${(times.all / times.one).toFixed(2).padStart(8)} x`
      : 'has no tags'.padStart(10)
    console.log(`  ${name.padEnd(44)} ${result}`)
  }
  record(`Purging a tag on ${purgePages.toLocaleString('en')} pages`, 'µs', found)
}

async function benchFlood() {
  console.log(`\nMemory after ${floodPages.toLocaleString('en')} URLs of 2 KB each; the bound is 64 MiB`)
  const found = {}
  for (const name of names) {
    process.stderr.write(`\r  ${name} `)
    const { held, resident } = await measure('flood', name, floodPages)
    process.stderr.write('\r\x1b[K')
    found[name] = held / 1024 ** 2
    const ratio = (held / (64 * 1024 ** 2)).toFixed(2)
    console.log(
      `  ${name.padEnd(44)} ${mebibytes(held).padStart(10)}  ${ratio.padStart(8)} x  process ${mebibytes(resident)}`,
    )
  }
  record(`Memory after ${floodPages.toLocaleString('en')} URLs of 2 KB`, 'MiB', found)
}

async function measure(task, name, pages) {
  const script = fileURLToPath(new URL('cache-worker.js', import.meta.url))
  const execArgv = ['--expose-gc', '--max-old-space-size=8192']
  const child = fork(script, [task, name, String(pages)], { execArgv })
  const [message, [code]] = await Promise.all([
    Promise.race([once(child, 'message').then(([result]) => result), once(child, 'close')]),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(`${task} of ${name} ended with ${code}`)
  return message
}

function mebibytes(bytes) {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`
}
