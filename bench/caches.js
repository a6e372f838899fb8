// Response caches with one task: pages by URL, for ten minutes, in memory. Each is set up as its documentation shows.
import { BentoCache, bentostore } from 'bentocache'
import { memoryDriver } from 'bentocache/drivers/memory'
import { Cacheable, createKeyv } from 'cacheable'
import { createMemoryStorage, defineCachedHandler } from 'ocache'
import { createResponseCache, memoryStore } from 'sitewright/cache'

/** The end of every page, which occurs nowhere else in it. */
export const bodyEnd = '</html>'

/** Creates the text of a page of a given size, different for each URL. */
export function createPageText(url, bytes) {
  return url.padEnd(bytes - bodyEnd.length, ' lorem ipsum') + bodyEnd
}

export function pageHeaders(text) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(text.length),
    'cache-control': 'public, s-maxage=600',
  }
}

/** Creates a page of a given size, different for each URL. */
export function createPage(url, bytes) {
  const text = createPageText(url, bytes)
  return new Response(text, { headers: pageHeaders(text) })
}

/**
 * @typedef {object} Setup
 * @property {(url: string) => Response} render
 * @property {(url: string) => string} [tagOf] the tag of a page, for a cache with tags
 * @property {number} maxBytes bound of the cache in bytes
 * @property {number} items bound of the caches that count pages
 *
 * @typedef {object} Cache
 * @property {(request: Request) => Promise<Response>} handle
 * @property {(url: string) => unknown} [put] stores a page without a request
 * @property {(tag: string) => unknown} [purge] purges all pages with a tag; absent in a cache without tags
 */

/** @type {Record<string, (setup: Setup) => Cache>} */
export const caches = {
  sitewright({ render, tagOf, maxBytes }) {
    const store = memoryStore({ maxBytes })
    const cache = createResponseCache({ store, tags: tagOf && (({ url }) => [tagOf(url)]) })
    const handle = cache.wrap(async ({ url }) => render(url))
    let stored
    return {
      handle,
      async put(url) {
        stored ??= await fetchText(handle, url).then(() => store.get(url).entry)
        store.set(url, { ...stored, tags: [tagOf(url)] })
      },
      purge: (tag) => cache.invalidate([tag]),
    }
  },

  bentocache({ render, tagOf, maxBytes, items }) {
    const memory = bentostore().useL1Layer(memoryDriver({ maxSize: maxBytes, maxItems: items }))
    const bento = new BentoCache({ default: 'memory', stores: { memory } })
    let stored
    return {
      async handle({ url }) {
        const tags = tagOf && [tagOf(url)]
        return deserialize(await bento.getOrSet({ key: url, ttl: '10m', tags, factory: () => serialize(render(url)) }))
      },
      async put(url) {
        stored ??= await serialize(render(url))
        await bento.set({ key: url, value: stored, ttl: '10m', tags: [tagOf(url)] })
      },
      purge: (tag) => bento.deleteByTag({ tags: [tag] }),
    }
  },

  // Bounds the number of keys, not bytes.
  cacheable({ render, tagOf, items }) {
    const cache = new Cacheable({ primary: createKeyv({ lruSize: items }), ttl: '10m', tags: tagOf !== undefined })
    let stored
    return {
      async handle({ url }) {
        const hit = await cache.get(url)
        if (hit) return deserialize(hit)
        const rendered = await serialize(render(url))
        await cache.set(url, rendered, tagOf && { tags: [tagOf(url)] })
        return deserialize(rendered)
      },
      async put(url) {
        stored ??= await serialize(render(url))
        await cache.set(url, stored, { tags: [tagOf(url)] })
      },
      purge: (tag) => cache.tags.invalidateTag(tag),
    }
  },

  // Has no tags.
  ocache({ render, maxBytes }) {
    const storage = createMemoryStorage({ maxBytes, maxSize: Number.POSITIVE_INFINITY })
    const handler = defineCachedHandler(({ req }) => render(req.url), { maxAge: 600, storage, allowQuery: true })
    return { handle: (request) => handler({ req: request }) }
  },
}

/** Requests a page and reads its whole body. */
export async function fetchText(handle, url) {
  const response = await handle(new Request(url))
  return response.text()
}

async function serialize(response) {
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}

function deserialize({ status, headers, body }) {
  return new Response(body, { status, headers })
}
