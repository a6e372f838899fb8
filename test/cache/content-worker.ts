import { createClient } from 'redis'
import { redisStore, redisTagIndex } from '../../adapters/redis/index.js'
import { createResponseCache } from '../../core/cache/index.js'
import { createContentTags } from '../../core/content/index.js'
import { source } from '../../core/content/testing/graph.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

/** What the test asks of a process: to publish, or to visit pages. */
export type Asked = { publish: object } | { visit: readonly string[] }
/** What it answers: the status, or each page with whether it was rendered. */
export type Answered = { status: number | undefined } | { shown: readonly { body: string; isNew: boolean }[] }

const [redisUrl = '', cms = ''] = process.argv.slice(2)
const client = createClient({ url: redisUrl })
await client.connect()
const content = createContentTags({ sources: [source] })
// On a busy machine Redis may take longer than a site would wait, and a page is then rendered that nothing has purged.
const timeout = 10_000
const cache = createResponseCache({
  store: redisStore({ client, timeout }),
  tagIndex: redisTagIndex({ client, timeout }),
  storeTimeout: 2 * timeout,
  content,
})

const site = cache.wrap(async ({ url }) => {
  const reads: string[] = JSON.parse(new URL(url).searchParams.get('reads') ?? '[]')
  const answers = await Promise.all(reads.map(async (read) => (await content.fetch(cms + read)).json()))
  return new Response(JSON.stringify(answers), { headers: { 'Cache-Control': 's-maxage=600' } })
})
const endpoint = createRevalidateEndpoint({ secret: 'secret', content, invalidate: cache.invalidate })

async function publish(payload: object): Promise<Answered> {
  const init = { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: JSON.stringify(payload) }
  const response = await endpoint(new Request('https://site.test/api/revalidate', init))
  return { status: response?.status }
}

async function visit(urls: readonly string[]): Promise<Answered> {
  const responses = await Promise.all(urls.map((url) => site(new Request(url))))
  const shown = responses.map(async (response) => ({
    isNew: response.headers.get('cache-status')?.includes('fwd=stale') ?? false, // it was stored, and purged
    body: await response.text(),
  }))
  return { shown: await Promise.all(shown) }
}

process.on('message', async ({ id, asked }: { id: number; asked: Asked }) => {
  const answered = 'publish' in asked ? await publish(asked.publish) : await visit(asked.visit)
  process.send?.({ id, answered })
})
process.on('disconnect', () => process.exit())
process.send?.({ id: 0 })
