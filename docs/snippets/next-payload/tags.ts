import { cacheTag, revalidateTag, unstable_cache } from 'next/cache'
import { type ContentTags, createContentTags } from 'sitewright/content'
import { payloadContent } from 'sitewright/payload'

// Next.js loads this file once per route, and Payload once per process: all share this.
const shared = globalThis as { content?: ContentTags }
shared.content ??= createContentTags({ sources: [], maxTags: 100 }) // Next.js keeps 128
const content = shared.content

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

/** In a prerendered page, which has the tags of the entries that it reads. */
export async function taggedPage<Value>(load: () => Promise<Value>): Promise<Value> {
  const { value, tags } = await content.collect(load)
  await unstable_cache(async () => null, [...tags], { tags: [...tags] })()
  return value
}
