import { cacheTag } from 'next/cache'
import { createContentTags } from 'sitewright/content'
import { contentSources } from 'sitewright/webhooks'

// Next.js keeps 128 tags of an entry.
const content = createContentTags({ sources: [contentSources.contentful], maxTags: 100 })
const space = 'https://cdn.contentful.com/spaces/cfexampleapi'

export async function readArticle(slug: string) {
  'use cache'
  const url = `${space}/entries?content_type=article&fields.slug=${slug}`
  const { value, tags } = await content.collect(async ({ fetch }) =>
    (await fetch(url)).json(),
  )
  cacheTag('document', ...tags)
  return value
}
