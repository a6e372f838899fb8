import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { cacheable, startCache } from '../cache/testing/harness.js'
import { createRevalidateEndpoint } from '../revalidate/index.js'
import { type ContentSource, createContentTags } from './index.js'
import { createCount, createGraph, createRandom, pages, source } from './testing/graph.js'

const requests = new Map(pages.map((page) => [page, new Request(`https://site.test${page}`)]))

const editsOfGraph = 12
const graphs = rounds(4)

// One context for all graphs, because Node 20 calls every existing context for each promise.
const context = new AsyncLocalStorage()

/** Edits a random site, and fails if a page differs from a fresh render after the webhook was answered. */
async function edit(seed: number, { count, add }: ReturnType<typeof createCount>, sources = [source]) {
  const graph = createGraph(seed)
  const { below, pick } = createRandom(seed + 1)
  const send = async (input: RequestInfo | URL) => {
    const url = new URL(String(input))
    if (below(2)) await Promise.resolve()
    const answer = graph.answer(url.pathname + url.search)
    if (below(20) === 0) await new Promise((resolve) => setImmediate(resolve)) // an edit may come before it arrives
    return Response.json(answer)
  }
  const content = createContentTags({ sources, fetch: send, context })
  const site = startCache({ content })
  site.serve(async ({ url }) => {
    const reads = graph.readsOf(new URL(url).pathname)
    const answers = await Promise.all(
      reads.map(async (read) => (await content.fetch(`https://cms.test${read}`)).json()),
    )
    return cacheable(JSON.stringify(answers))
  })
  const endpoint = createRevalidateEndpoint({ secret: 'secret', content, invalidate: site.invalidate, log: () => {} })
  const publish = (payload: object) => {
    const init = { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: JSON.stringify(payload) }
    return endpoint(new Request('https://site.test/api/revalidate', init))
  }
  const shown = new Map<string, string>()
  for (let index = 0; index < editsOfGraph; index++) {
    const visits = [pick(pages), pick(pages)].map((page) => site.get(page)) // in progress during the edit and the webhook
    const payload = graph.edit()
    expect((await publish(payload))?.status).toBe(200)
    count.edits++
    const stale: string[] = []
    for (const page of pages) {
      const response = await site.wrapped(requests.get(page) as Request)
      const [body, fresh] = [await response?.text(), graph.render(page)]
      if (body !== fresh) stale.push(page)
      add(Boolean(response?.headers.get('cache-status')?.includes('fwd=stale')), shown.get(page), fresh)
      shown.set(page, fresh)
    }
    expect(stale, `stale pages, seed ${seed}, edit ${index}`).toEqual([])
    await Promise.all(visits)
  }
}

it(
  'after a webhook was answered, no page differs from a fresh render, and few purged pages stayed the same',
  async () => {
    const counter = createCount()
    for (let seed = 1; seed <= graphs; seed++) await edit(seed, counter)
    const { edits, purged, same } = counter.count
    console.log(`${edits} edits purged ${purged} pages, of which ${same} were the same`)
    expect(purged).toBeGreaterThan(edits)
    expect(same / purged).toBeLessThan(0.05)
  },
  rounds(60_000),
)

it.each<[string, ContentSource]>([
  [
    'of the type',
    { ...source, tagsOfAnswer: (answer) => source.tagsOfAnswer(answer).filter((tag) => tag.includes('-')) },
  ],
  ['of references', { ...source, tagsOfAnswer: (answer) => source.tagsOfAnswer(answer).slice(0, 1) }],
  ['of the payload', { ...source, tagsOfPayload: (payload) => source.tagsOfPayload(payload)?.slice(1) }],
])('a site without the tags %s has stale pages', async (_, broken) => {
  const editAll = async () => {
    for (let seed = 1; seed <= 50; seed++) await edit(seed, createCount(), [broken])
  }
  await expect(editAll()).rejects.toThrow('stale pages')
})
