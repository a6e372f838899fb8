import { cacheTag, revalidateTag } from 'next/cache'
import { createContentTags } from 'sitewright/content'
import { payloadContent } from 'sitewright/payload'

// Next.js keeps 128 tags of an entry.
const content = createContentTags({ sources: [], maxTags: 100 })

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
