import { createResponseCache, memoryStore } from 'sitewright/cache'
import { type ContentSource, createContentTags } from 'sitewright/content'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

// What the content system calls its entries, in an answer and in the payload of a webhook.
interface Entry {
  id: number
  type: string
  title: string
}
const source: ContentSource = {
  tagsOfAnswer({ json }) {
    if (!Array.isArray(json)) return [`entry:${(json as Entry).id}`]
    return ['type:article', ...json.map(({ id }: Entry) => `entry:${id}`)] // a list, which a new entry changes
  },
  tagsOfPayload(payload) {
    const { id, type } = payload as Partial<Entry>
    return id === undefined ? undefined : [`entry:${id}`, `type:${type}`]
  },
}

const content = createContentTags({ sources: [source] })
const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  content,
})

const api = process.env.CMS_URL ?? 'http://127.0.0.1:4000'
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'public, max-age=0, s-maxage=86400',
}

export const pages = cache.wrap(async (request) => {
  const { pathname } = new URL(request.url) // '/articles' or '/articles/7'
  const answer: Entry | Entry[] = await (await content.fetch(api + pathname)).json()
  const titles = [answer].flat().map(({ title }) => `<h1>${title}</h1>`)
  return new Response(titles.join(''), { headers })
})

export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  content,
  invalidate: cache.invalidate,
})
