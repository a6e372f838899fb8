import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { type ContentSource, createContentTags } from '../../core/content/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

const secret = 'between-us-and-no-one-else'
/** The header with which a CMS sends its webhooks. */
export const authorization = `Bearer ${secret}`
/** The type of the entries that tell when all webhooks before have been sent. No page shows them. */
export const marker = 'marker'

export interface Counts {
  edits: number
  stale: string[]
  /** Purged pages that had changed. */
  right: number
  needless: number
  /** The same, of the pages whose answers name all that they depend on: they carry the ids of their entries. */
  exactRight: number
  exactNeedless: number
}

function carriesIds(data: unknown): boolean {
  const entries = [data].flat()
  const hasId = (entry: unknown) => typeof entry === 'object' && entry !== null && 'id' in entry
  return entries.length > 0 && entries.every(hasId)
}

/** The pages of a site, each of one query, behind a response cache whose endpoint gets the webhooks of a CMS. */
export async function startSite(source: ContentSource, name: string) {
  const markers = new Set<string>()
  let current = new Map<string, string>()
  const content = createContentTags({
    // After a purge, a page would be kept for seconds only, which hides that the next purge misses it.
    sources: [{ ...source, settles: 0 }],
    fetch: async (url) => new Response(current.get(String(url)), { headers: { 'Content-Type': 'application/json' } }),
    log: () => {},
  })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }), content, log: () => {} })
  const page = cache.wrap(async (request) => {
    const url = decodeURIComponent(new URL(request.url).search.slice(1))
    const body = await (await content.fetch(url)).text()
    return new Response(body, { headers: { 'Cache-Control': 's-maxage=86400' } })
  })
  const endpoint = createRevalidateEndpoint({ secret, content, invalidate: cache.invalidate, log: () => {} })
  const answer = async (incoming: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    if (body.includes(`"${marker}`)) return void markers.add(/mark-\d+/.exec(body)?.[0] ?? '')
    const headers = { Authorization: incoming.headers.authorization ?? '' }
    const response = await endpoint(new Request('https://site.test/api/revalidate', { method: 'POST', headers, body }))
    if (response?.status !== 200) throw new Error(`the endpoint answered ${response?.status} to ${body}`)
  }
  const errors: unknown[] = []
  const server = createServer((request, response) => {
    answer(request)
      .catch((error) => errors.push(error))
      .finally(() => response.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const read = async (url: string) => {
    const response = await fetch(url, { headers: { Connection: 'close' } })
    if (response.status >= 500) throw new Error(`${url}: ${response.status}`)
    return response.text()
  }

  /** Reads all queries from the CMS, without a cache. */
  const readAll = async (urls: readonly string[]) => {
    const texts = new Map<string, string>()
    const left = [...urls]
    const work = async () => {
      for (let url = left.pop(); url !== undefined; url = left.pop()) texts.set(url, await read(url))
    }
    await Promise.all(Array.from({ length: 4 }, work))
    return texts
  }

  const visit = async (url: string) => {
    const response = await page(new Request(`https://site.test/?${encodeURIComponent(url)}`))
    const tags = response?.headers.get('cache-tag')?.split(',') ?? []
    return { isHit: response?.headers.get('cache-status')?.includes('; hit'), body: await response?.text(), tags }
  }

  const expectFresh = (url: string) => (visited: Awaited<ReturnType<typeof visit>>) => {
    if (visited.body !== current.get(url)) throw new Error('stale')
    return visited
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
    async check(
      urls: readonly string[],
      edits: number,
      edit: (index: number) => Promise<string>,
      mark: (text: string) => Promise<unknown>,
      /** Whether the guide lists the page, whose fresh render is given, as one that no webhook reaches. */
      isListed: (url: string, body: string) => boolean = () => false,
    ): Promise<Counts> {
      const counts: Counts = { edits: 0, stale: [], right: 0, needless: 0, exactRight: 0, exactNeedless: 0 }
      const exact = new Set<string>()
      const visitAll = async (add: (url: string, isHit: boolean, body: string) => void) => {
        for (const url of urls) {
          // A webhook that is still on its way gets three seconds.
          const visited = () => vi.waitFor(() => visit(url).then(expectFresh(url)), 3000)
          const { isHit, body = '', tags } = await visited().catch(() => visit(url))
          add(url, Boolean(isHit), body)
          const isExact = !tags.includes(name) && !tags.includes('any-content') && carriesIds(JSON.parse(body).data)
          if (isExact) exact.add(url)
          else exact.delete(url)
        }
      }
      current = await readAll(urls)
      await visitAll(() => {})
      let before = current
      for (let index = 0; index < edits; index++) {
        const description = await edit(index)
        const text = `mark-${index}`
        await mark(text)
        await vi.waitFor(() => {
          if (!markers.has(text)) throw new Error(`no webhook for ${text}`)
        }, 20_000)
        current = await readAll(urls)
        const wasExact = new Set(exact)
        counts.edits++
        await visitAll((url, isHit, body) => {
          const isChanged = before.get(url) !== current.get(url)
          const fresh = String(current.get(url))
          if (isHit && body !== fresh && !isListed(decodeURIComponent(url), fresh))
            counts.stale.push(`${description}: ${decodeURIComponent(url)}`)
          if (isHit) return
          counts[isChanged ? 'right' : 'needless']++
          if (wasExact.has(url)) counts[isChanged ? 'exactRight' : 'exactNeedless']++
        })
        before = current
      }
      if (errors.length > 0) throw new AggregateError(errors)
      return counts
    },
  }
}
