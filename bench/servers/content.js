// A page of 100 entries from a content system, rendered for each request: in one answer at /list, in 100 answers at /each, and in
// one answer of a real CMS's shape at /contentful, /directus, /strapi and /wordpress. With SERVER=tagged, the page bears the tags of
// what it reads; with SERVER=context, it has only an AsyncLocalStorage; with SERVER=sources, the sources of the real CMSs find the
// tags. SERVER=cms is the content system.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'
import { nodeListener } from 'sitewright/node'
import { contentSources } from 'sitewright/webhooks'

const { SERVER, CMS, PORT } = process.env
const text = 'Silver and salt, on paper that was sized with starch. '.repeat(30)
const contentType = { sys: { type: 'Link', linkType: 'ContentType', id: 'article' } }
const entryOf = (index) => ({
  sys: { id: `entry-${1000 + index}`, type: 'Entry', contentType },
  title: `Article ${index}`,
  text,
})
const entries = Array.from({ length: 100 }, (_, index) => entryOf(index))

const listOf = (entryAt) => entries.map((_, index) => entryAt(index + 1, `Article ${index}`))
const link = { href: 'https://cms.test/a' }
// The answer of each CMS, by its path.
const answers = {
  '/spaces/a/entries?content_type=article': { items: entries },
  '/items/articles?fields=id,title,text,author.id,author.name': {
    data: listOf((id, title) => ({ id, title, text, author: { id: id % 9, name: 'Jane' } })),
  },
  '/api/articles?populate=author': {
    data: listOf((id, title) => ({
      id,
      documentId: `d${id}`,
      title,
      text,
      author: { documentId: `a${id}`, name: 'Jane' },
    })),
  },
  '/wp-json/wp/v2/posts?per_page=100': listOf((id, title) => ({
    ...{
      id,
      type: 'post',
      title,
      text,
      excerpt: { rendered: '' },
      author: 3,
      featured_media: 4,
      categories: [1, 2],
      tags: [3],
    },
    _links: { self: [link], author: [{ ...link, embeddable: true }] },
  })),
}
const paths = Object.keys(answers)

function serveContent() {
  const list = JSON.stringify({ items: entries })
  const lists = new Map(Object.entries(answers).map(([path, answer]) => [path, JSON.stringify(answer)]))
  const each = new Map(entries.map((entry) => [`/${entry.sys.id}`, JSON.stringify({ items: [entry] })]))
  createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(lists.get(url) ?? each.get(url.replace('/spaces/a/entries', '')) ?? list)
  }).listen(PORT, '127.0.0.1')
}

const source = {
  tagsOfAnswer: ({ url, json }) => [
    ...(url.endsWith('/list') ? ['article'] : []),
    ...json.items.map(({ sys }) => sys.id),
  ],
  tagsOfPayload: ({ sys }) => [sys.id, sys.type],
}
const { contentful, directus, strapi, wordpress } = contentSources
const sources = { tagged: [source], sources: [contentful, directus, strapi, wordpress] }

function servePages(content) {
  const read = async (path) => {
    const response = await (content?.fetch ?? fetch)(CMS + path)
    const answer = await response.json()
    return answer.items ?? answer.data ?? answer
  }
  const pages = {
    '/list': () => read('/spaces/a/entries/list'),
    '/each': async () => (await Promise.all(entries.map(({ sys }) => read(`/spaces/a/entries/${sys.id}`)))).flat(),
    ...Object.fromEntries(
      ['/contentful', '/directus', '/strapi', '/wordpress'].map((name, index) => [name, () => read(paths[index])]),
    ),
  }
  const cache = createResponseCache({
    store: memoryStore({ maxBytes: 8 * 1024 ** 2 }),
    exposeTags: false,
    ...(content && { content }),
  })
  const handler = async ({ url }) => {
    const items = await (pages[new URL(url).pathname] ?? (() => []))()
    const articles = items.map(({ title, text }) => `<article><h2>${title}</h2><p>${text}</p></article>`)
    return new Response(`<!doctype html>${articles.join('')}`, {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 's-maxage=60' },
    })
  }
  // Within the cache, which runs each render outside of the visitor's context.
  const context = SERVER === 'context' ? new AsyncLocalStorage() : undefined
  const site = cache.wrap(context ? (request) => context.run({}, () => handler(request)) : handler)
  let count = 10_000_000
  // Each is the first visit of its address.
  createServer(nodeListener(({ url }) => site(new Request(`${url}?visit=${count++}`)))).listen(PORT, '127.0.0.1')
}

if (SERVER === 'cms') serveContent()
else servePages(sources[SERVER] && createContentTags({ sources: sources[SERVER] }))
