import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createContentTags } from 'sitewright/content'
import { payloadContent } from 'sitewright/payload'

const content = createContentTags({ sources: [] })
export const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  content,
})

/** In payload.config.ts: `plugins: [seoPlugin(), payloadTags]`, behind the others. */
export const payloadTags = payloadContent({ content, invalidate: cache.invalidate })
