import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { payloadContent } from '../../adapters/payload/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createContentTags } from '../../core/content/index.js'
import { rounds } from '../setup/rounds.js'
import { createPayloadSite, startPayload } from './payload.js'

const seed = Number(process.env.SEED ?? 1)

/** Starts a site whose pages read from a Payload in the same process. */
async function startSite(hasTransactions: boolean, isOpen: boolean) {
  const content = createContentTags({ sources: [] })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }), content, log: () => {} })
  const invalidate = vi.fn((tags: string[]) => cache.invalidate(tags))
  const { payload, close } = await startPayload(payloadContent({ content, invalidate }), hasTransactions, isOpen)
  const site = createPayloadSite(payload, seed)
  await site.seed()
  const pages = site.pages(isOpen)
  const render = async (path: string) => JSON.stringify(await pages.get(path)?.())
  const wrapped = cache.wrap(async ({ url }) => {
    const body = await render(new URL(url).pathname)
    return new Response(body, { headers: { 'Cache-Control': 's-maxage=86400' } })
  })
  const visit = async (path: string) => {
    const response = await wrapped(new Request(`https://site.test${path}`))
    return { isHit: response?.headers.get('cache-status')?.includes('; hit'), body: String(await response?.text()) }
  }
  return { payload, close, site, pages, render, visit, invalidate }
}

it.each([
  ['with transactions', true, false, 1000],
  ['without transactions', false, false, 1000],
  ['with joins, paths, pages and saved drafts', true, true, 300],
])(
  'beside a real Payload %s, no page differs from a fresh render after an edit, and few are purged in vain',
  async (name, hasTransactions, isOpen, edits) => {
    const { close, site, pages, render, visit } = await startSite(hasTransactions, isOpen)
    const stale: string[] = []
    const shown = new Map<string, string>()
    const needless = new Map<string, number>()
    let purged = 0
    for (const path of pages.keys()) shown.set(path, (await visit(path)).body)
    for (let index = 0; index < rounds(edits); index++) {
      const description = await site.edit(isOpen)
      for (const path of pages.keys()) {
        const { isHit, body } = await visit(path)
        if (isHit && body !== (await render(path))) stale.push(`${index} ${description}: ${path}`)
        if (isHit) continue
        purged++
        if (body === shown.get(path)) needless.set(path, (needless.get(path) ?? 0) + 1)
        shown.set(path, body)
      }
    }
    await close()
    const same = [...needless.values()].reduce((sum, count) => sum + count, 0)
    console.log(`Payload ${name}, seed ${seed}: ${purged} pages purged, ${same} stayed the same`, needless)
    expect(stale).toEqual([])
    expect(purged).toBeGreaterThan(rounds(edits))
    if (!isOpen) expect(same / purged).toBeLessThanOrEqual(0.05)
  },
  300_000 + rounds(900_000),
)

describe('beside a real Payload', () => {
  let site: Awaited<ReturnType<typeof startSite>>
  beforeAll(async () => {
    site = await startSite(true, false)
  })
  afterAll(() => site.close())

  it('purges a page when the transaction is committed, not before, and not after a rollback', async () => {
    const { payload, visit, render, invalidate } = site
    const update = async (name: string) => {
      const transactionID = await payload.db.beginTransaction()
      await payload.update({ collection: 'authors', id: 1, data: { name }, req: { transactionID } })
      return transactionID
    }
    await visit('/author/1')
    invalidate.mockClear()
    await payload.db.rollbackTransaction(await update('rolled back'))
    const transaction = await update('committed')
    expect(await visit('/author/1')).toMatchObject({ isHit: true })
    expect(invalidate).not.toHaveBeenCalled()
    await payload.db.commitTransaction(transaction)
    expect(invalidate).toHaveBeenCalledTimes(1)
    const { isHit, body } = await visit('/author/1')
    expect(isHit).toBe(false)
    expect(body).toContain('committed')
    expect(body).toBe(await render('/author/1'))
  })

  it('purges pages when a job publishes and unpublishes an article', async () => {
    const { payload, visit } = site
    const { id } = await payload.create({ collection: 'articles', data: { slug: 'article-1', _status: 'draft' } })
    for (const type of ['publish', 'unpublish']) {
      await visit('/slug/1')
      const input = { type, doc: { relationTo: 'articles', value: String(id) } }
      await payload.jobs.queue({ task: 'schedulePublish', input, waitUntil: new Date(Date.now() - 1000) })
      await payload.jobs.run()
      const { isHit, body } = await visit('/slug/1')
      expect(isHit, type).toBe(false)
      expect(JSON.parse(body).docs.some((doc: { id: number }) => doc.id === id)).toBe(type === 'publish')
    }
  })

  it('saves a change although the purge fails, and tries the purge again', async () => {
    const { payload, visit, invalidate } = site
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await visit('/header')
    invalidate.mockRejectedValueOnce(new Error('the cache is down'))
    await payload.updateGlobal({ slug: 'header', data: { title: 'saved' } })
    expect(log).toHaveBeenCalledWith(expect.stringContaining('a purge failed'), { reason: 'the cache is down' })
    await vi.waitFor(async () => expect((await visit('/header')).body).toContain('saved'), 20_000)
    log.mockRestore()
  })
})
