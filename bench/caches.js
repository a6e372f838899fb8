// Response caches for one job: pages by URL, for ten minutes, in memory. Each as its own documentation sets it up.
import { BentoCache, bentostore } from 'bentocache'
import { memoryDriver } from 'bentocache/drivers/memory'
import { Cacheable, createKeyv } from 'cacheable'
import { createMemoryStorage, defineCachedHandler } from 'ocache'
import { createResponseCache, memoryStore } from 'sitewright/cache'

/** What ends a page, and stands nowhere else in it. */
export const end = '</html>'

/** A page of so many bytes, unlike that of another URL. */
export function page(url, bytes) {
  const text = url.padEnd(bytes - end.length, ' lorem ipsum') + end
  return new Response(text, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(text.length),
      'cache-control': 'public, s-maxage=600',
    },
  })
}

/**
 * @typedef {object} Job
 * @property {(url: string) => Response} render
 * @property {(url: string) => string} [tagOf] the tag of a page, when there are tags
 * @property {number} maxBytes bound of the cache
 * @property {number} items bound of those caches that count pages
 *
 * @typedef {object} Cache
 * @property {(request: Request) => Promise<Response>} handle
 * @property {(url: string) => unknown} [put] stores a page without a request, and like all others
 * @property {(tag: string) => unknown} [purge] all pages that bear a tag; absent where there are no tags
 */

/** @type {Record<string, (job: Job) => Cache>} */
export const caches = {
  sitewright({ render, tagOf, maxBytes }) {
    const store = memoryStore({ maxBytes })
    const cache = createResponseCache({ store, tags: tagOf && (({ url }) => [tagOf(url)]) })
    const handle = cache.wrap(async ({ url }) => render(url))
    let known
    return {
      handle,
      async put(url) {
        known ??= await visit(handle, url).then(() => store.get(url).entry)
        store.set(url, { ...known, tags: [tagOf(url)] })
      },
      purge: (tag) => cache.invalidate([tag]),
    }
  },

  bentocache({ render, tagOf, maxBytes, items }) {
    const memory = bentostore().useL1Layer(memoryDriver({ maxSize: maxBytes, maxItems: items }))
    const bento = new BentoCache({ default: 'memory', stores: { memory } })
    let known
    return {
      async handle({ url }) {
        const tags = tagOf && [tagOf(url)]
        return revive(await bento.getOrSet({ key: url, ttl: '10m', tags, factory: () => keep(render(url)) }))
      },
      async put(url) {
        known ??= await keep(render(url))
        await bento.set({ key: url, value: known, ttl: '10m', tags: [tagOf(url)] })
      },
      purge: (tag) => bento.deleteByTag({ tags: [tag] }),
    }
  },

  // It bounds keys, not bytes.
  cacheable({ render, tagOf, items }) {
    const cache = new Cacheable({ primary: createKeyv({ lruSize: items }), ttl: '10m', tags: tagOf !== undefined })
    let known
    return {
      async handle({ url }) {
        const stored = await cache.get(url)
        if (stored) return revive(stored)
        const kept = await keep(render(url))
        await cache.set(url, kept, tagOf && { tags: [tagOf(url)] })
        return revive(kept)
      },
      async put(url) {
        known ??= await keep(render(url))
        await cache.set(url, known, { tags: [tagOf(url)] })
      },
      purge: (tag) => cache.tags.invalidateTag(tag),
    }
  },

  // It has no tags.
  ocache({ render, maxBytes }) {
    const storage = createMemoryStorage({ maxBytes, maxSize: Number.POSITIVE_INFINITY })
    const handler = defineCachedHandler(({ req }) => render(req.url), { maxAge: 600, storage, allowQuery: true })
    return { handle: (request) => handler({ req: request }) }
  },
}

/** Asks for a page as a visitor does, and reads it to its end. */
export async function visit(handle, url) {
  const response = await handle(new Request(url))
  return response.text()
}

async function keep(response) {
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}

function revive({ status, headers, body }) {
  return new Response(body, { status, headers })
}
