// Response caches: the cost of a hit, of a hit over HTTP and of a purge, and the memory after many URLs.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bodyEnd, caches, createPage, fetchText } from './caches.js'
import { compare } from './compare.js'
import { requestRate } from './load.js'
import { start } from './start.js'

const names = Object.keys(caches)
// A million takes some minutes for each cache.
const floodPages = Number(process.env.FLOOD ?? 200_000)
const purgePages = 1_000_000

export async function benchCache() {
  await benchCall()
  await benchHit()
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

/** Each server runs in its own process, and only one is measured at a time. */
async function benchHit({ rounds = 15, milliseconds = 200 } = {}) {
  const servers = []
  try {
    for (const name of names)
      servers.push({ name, rates: [], ...(await start('node', ['servers/cache.js'], { CACHE: name })) })
    for (let round = -1; round < rounds; round++) {
      for (const { origin, rates } of servers) {
        const constant = await requestRate(`${origin}/constant`, bodyEnd, milliseconds)
        const hit = await requestRate(`${origin}/page`, bodyEnd, milliseconds)
        if (round >= 0) rates.push({ constant, hit, ratio: hit / constant }) // the first round warms up
      }
    }
  } finally {
    await Promise.all(servers.map(({ close }) => close()))
  }
  console.log('\nHits over HTTP per second, and the share of what the same server does with a constant response')
  for (const { name, rates } of servers) {
    const [constant, hit, ratio] = ['constant', 'hit', 'ratio'].map((key) => median(rates.map((rate) => rate[key])))
    console.log(
      `  ${name.padEnd(44)} ${hit.toFixed(0).padStart(8)}/s  ${ratio.toFixed(2).padStart(8)} x  of ${constant.toFixed(0)}/s`,
    )
  }
}

async function benchPurge() {
  console.log(`\nPurging a tag on ${purgePages.toLocaleString('en')} pages, and its ratio to one on a single page`)
  for (const name of names) {
    const times = await measure('purge', name, purgePages)
    const result = times
      ? `${(times.all / 1000).toFixed(1).padStart(7)} µs  ${(times.all / times.one).toFixed(2).padStart(8)} x`
      : 'has no tags'.padStart(10)
    console.log(`  ${name.padEnd(44)} ${result}`)
  }
}

async function benchFlood() {
  console.log(`\nMemory after ${floodPages.toLocaleString('en')} URLs of 2 KB each; the bound is 64 MiB`)
  for (const name of names) {
    const { held, resident } = await measure('flood', name, floodPages)
    const ratio = (held / (64 * 1024 ** 2)).toFixed(2)
    console.log(
      `  ${name.padEnd(44)} ${mebibytes(held).padStart(10)}  ${ratio.padStart(8)} x  process ${mebibytes(resident)}`,
    )
  }
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

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1]
}
