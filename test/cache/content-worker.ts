import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { createClient } from 'redis'
import { redisStore, redisTagIndex } from '../../adapters/redis/index.js'
import { createResponseCache } from '../../core/cache/index.js'
import { createContentTags } from '../../core/content/index.js'
import { createGraph, createRandom, source } from '../../core/content/testing/graph.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

/** A command of the test to a process, for one site: edit (sent to all processes), publish, or visit pages. */
export type Asked = { seed: number } & ({ edit: true } | { publish: object } | { visit: readonly string[] })
/**
 * The answer: the status, or for each page whether it differs from a fresh render and whether it was rendered again.
 */
export interface Answered {
  status?: number | undefined
  shown?: readonly { isStale: boolean; isNew: boolean }[]
}

const [redisUrl = ''] = process.argv.slice(2)
const client = createClient({ url: redisUrl })
client.setMaxListeners(0) // all sites share it
await client.connect()
// On a busy machine Redis may take longer than a site would wait, and a page is then rendered that nothing has purged.
const timeout = 10_000
// One for all sites, because Node 20 asks each that exists at each promise.
const context = new AsyncLocalStorage()
const sites = new Map<number, ReturnType<typeof createSite>>()

function createSite(seed: number) {
  const graph = createGraph(seed)
  const { below } = createRandom(seed + process.pid)
  const send = async (input: RequestInfo | URL) => {
    const { pathname, search } = new URL(String(input))
    const answer = graph.answer(pathname + search)
    if (below(5) === 0) await setImmediate() // an edit may come before it arrives
    return Response.json(answer)
  }
  const content = createContentTags({ sources: [source], fetch: send, context })
  const redis = { client, timeout, prefix: `site-${seed}` }
  const cache = createResponseCache({
    store: redisStore(redis),
    tagIndex: redisTagIndex(redis),
    storeTimeout: 2 * timeout,
    content,
  })
  const visit = cache.wrap(async ({ url }) => {
    const reads = graph.readsOf(new URL(url).pathname)
    const answers = await Promise.all(
      reads.map(async (path) => (await content.fetch(`https://cms.test${path}`)).json()),
    )
    return new Response(JSON.stringify(answers), { headers: { 'Cache-Control': 's-maxage=600' } })
  })
  const log = () => {}
  const publish = createRevalidateEndpoint({ secret: 'secret', content, invalidate: cache.invalidate, log })
  return { graph, visit, publish }
}

type Site = ReturnType<typeof createSite>

async function publish(site: Site, payload: object): Promise<Answered> {
  const init = { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: JSON.stringify(payload) }
  const response = await site.publish(new Request('https://site.test/api/revalidate', init))
  return { status: response?.status }
}

async function visit({ graph, visit }: Site, pages: readonly string[]): Promise<Answered> {
  const shown = pages.map(async (page) => {
    const response = await visit(new Request(`https://site.test${page}`))
    const isNew = response.headers.get('cache-status')?.includes('fwd=stale') ?? false // it was stored, and purged
    return { isNew, isStale: (await response.text()) !== graph.render(page) }
  })
  return { shown: await Promise.all(shown) }
}

async function answer(question: Asked): Promise<Answered> {
  const site = sites.get(question.seed) ?? createSite(question.seed)
  sites.set(question.seed, site)
  if ('publish' in question) return publish(site, question.publish)
  if ('visit' in question) return visit(site, question.visit)
  site.graph.edit()
  return {}
}

process.on('message', async ({ id, asked }: { id: number; asked: Asked }) => {
  process.send?.({ id, answered: await answer(asked) })
})
process.on('disconnect', () => process.exit())
process.send?.({ id: 0 })
