import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { contentSources, verifyContentful } from 'sitewright/webhooks'

const content = createContentTags({ sources: [contentSources.contentful] })
const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  content,
})

// Read content by `content.fetch` instead of `fetch`: here, the entries of a type.
export const pages = cache.wrap(async () => {
  const answer = await content.fetch(
    `${process.env.CONTENTFUL_URL}/entries?content_type=article`,
  )
  const { items } = await answer.json()
  const headers = { 'Cache-Control': 'public, max-age=0, s-maxage=86400' }
  return Response.json(items, { headers })
})

export const revalidate = createRevalidateEndpoint({
  verify: verifyContentful({ secret: process.env.CONTENTFUL_WEBHOOK_SECRET ?? '' }),
  content,
  invalidate: cache.invalidate,
})
