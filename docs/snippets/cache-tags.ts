import { createResponseCache, memoryStore } from 'sitewright/cache'

const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  // In addition to the path, and to the tags in Cache-Tag. Default: ['document'].
  tags: (request) => [
    'document',
    new URL(request.url).pathname.startsWith('/news/') ? 'news' : 'other',
  ],
})

export const pages = cache.wrap(async () => {
  const headers = {
    'Cache-Control': 'public, max-age=0, s-maxage=86400',
    'Cache-Tag': 'article-17, author-3',
  }
  return new Response('An article', { headers })
})

export const publish = () => cache.invalidate(['article-17'])
export const correct = () => cache.invalidate(['/articles/boats']) // one page, by its path
export const redesign = () => cache.invalidate(['document'], { mode: 'soft' }) // all pages
