import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { contentSource, contentSources, verifyContentful } from 'sitewright/webhooks'

// An API of your own: how its addresses look, and where an entry has its id and type.
const shop = contentSource('shop', /\/shop\/api\//, {
  idOf: ({ sku }) => sku,
  typeOf: ({ kind }) => kind,
})

const content = createContentTags({ sources: [contentSources.contentful, shop] })
const store = memoryStore({ maxBytes: 64 * 1024 ** 2 })
export const cache = createResponseCache({ store, content })

// For Contentful, by its signature, which covers the path.
const path = '/api/contentful'
const { CONTENTFUL_WEBHOOK_SECRET: secret = '' } = process.env
export const webhook = createRevalidateEndpoint({
  path,
  verify: verifyContentful({ secret, path }),
  content,
  invalidate: cache.invalidate,
})

// For editors and scripts, by a token.
export const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  content,
  store, // so that ?dry-run can list pages
  invalidate: cache.invalidate,
})
