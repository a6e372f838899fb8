import { expect, it } from 'vitest'
import { payloadSource } from '../../docs/snippets/content-payload.js'
import { contentSources } from './index.js'
import recorded from './testing/real-answers.json' with { type: 'json' }

const sources = { ...contentSources, payload: payloadSource }

// Shortened answers and payloads of a Directus 11.3.5, a Strapi 5.54, a WordPress 6.1.9 with the plugin of the guide, a
// Payload 3.90.2 with the hooks of the guide, and of the documents of Contentful.
it.each(recorded.map((change) => [change.source, change.isPurged ? 'purges' : 'does not purge', change] as const))(
  'a webhook of %s %s a page: $2.name',
  (source, _, { url, answer, payload, isPurged }) => {
    const { tagsOfAnswer, tagsOfPayload } = sources[source as keyof typeof sources]
    const purged = tagsOfPayload(payload)
    const tags = tagsOfAnswer({ url, headers: new Headers(), json: answer })
    expect(tags.length).toBeGreaterThan(0)
    expect(tags.filter((tag) => purged?.includes(tag)).length > 0, `${tags} and ${purged}`).toBe(isPurged)
  },
)
