import { cacheTag, revalidateTag, unstable_cache } from 'next/cache'
import { type ContentTags, createContentTags } from 'sitewright/content'
import { payloadContent } from 'sitewright/payload'

// Next.js loads this file once per route, and Payload once per process, so they share this object.
const shared = globalThis as { content?: ContentTags }
// Next.js keeps 128 tags of an entry.
shared.content ??= createContentTags({ sources: [], maxTags: 100 })
const content = shared.content

/** In payload.config.ts: `plugins: [seoPlugin(), payloadTags]`, behind the others. */
export const payloadTags = payloadContent({
  content,
  invalidate: (tags) => {
    for (const tag of tags) revalidateTag(tag, { expire: 0 })
  },
})

/** In a `'use cache'` function: `tagged(() => payload.find({ collection: 'posts' }))`. */
export async function tagged<Value>(load: () => Promise<Value>): Promise<Value> {
  const { value, tags } = await content.collect(load)
  cacheTag(...tags)
  return value
}

/** In a prerendered page without `cacheComponents`. */
export async function taggedPage<Value>(load: () => Promise<Value>): Promise<Value> {
  const { value, tags } = await content.collect(load)
  // No function tags a page, but a page has the tags of the entries that it reads.
  await unstable_cache(async () => null, [...tags], { tags: [...tags] })()
  return value
}
