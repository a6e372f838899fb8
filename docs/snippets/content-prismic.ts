import { createContentTags } from 'sitewright/content'
import { contentSources } from 'sitewright/webhooks'

export const content = createContentTags({ sources: [contentSources.prismic] })

/** The options of a client: `createClient('my-site', clientOptions())`, once in each render. */
export const clientOptions = () => ({
  fetch: content.fetch,
  fetchOptions: { signal: new AbortController().signal },
})
