import { expect, it } from 'vitest'
import { contentSources } from '../../adapters/webhooks/index.js'
import { rounds } from '../setup/rounds.js'
import { createDirectusEdits, directusQueries, type Keys, seedDirectus, startDirectus } from './directus.js'
import { marker, startSite } from './site.js'

const seed = Number(process.env.SEED ?? 1)

// ROUNDS=10 is 200 edits.
it.each<Keys>(['uuid', 'integer'])(
  'beside a real Directus with keys of the type %s, no page differs from a fresh render after the webhook of an edit',
  async (keys) => {
    const site = await startSite(contentSources.directus, 'directus')
    const { url, send, close } = await startDirectus(site.url, keys)
    try {
      await seedDirectus(send, seed, keys)
      const { stale, ...counts } = await site.check(
        directusQueries(url, seed, 80, keys),
        rounds(20),
        createDirectusEdits(send, seed, keys),
        (title) => send('POST', `/items/${marker}`, { title }),
        // A second item of the same slug was hidden before.
        (page, body) => page.includes('filter[slug]') && JSON.parse(body).data?.length > 1,
      )
      console.log(`Directus, ${keys}, seed ${seed}: ${JSON.stringify(counts)}`)
      expect(stale).toEqual([])
      // A list is purged with each edit of its collection, also of fields that it does not show: see the guide.
      expect(counts.exactNeedless).toBeLessThanOrEqual(2 * counts.exactRight)
    } finally {
      await close()
      site.close()
    }
  },
  300_000 + rounds(200_000),
)
