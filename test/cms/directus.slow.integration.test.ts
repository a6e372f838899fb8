import { expect, it } from 'vitest'
import { contentSources } from '../../adapters/webhooks/index.js'
import { createRandom } from '../../core/content/testing/graph.js'
import { rounds } from '../setup/rounds.js'
import { directusQueries, editDirectus, seedDirectus, startDirectus } from './directus.js'
import { marker, startSite } from './site.js'

const seed = Number(process.env.SEED ?? 1)

it(
  'beside a real Directus, no page differs from a fresh render after the webhook of an edit',
  async () => {
    const site = await startSite(contentSources.directus, 'directus')
    const { url, send, close } = await startDirectus(site.url)
    try {
      await seedDirectus(send, seed)
      const random = createRandom(seed)
      const queries = directusQueries(url, seed, 80)
      const { stale, ...counts } = await site.check(
        queries,
        rounds(200),
        (index) => editDirectus(send, random, index),
        (title) => send('POST', `/items/${marker}`, { title }),
      )
      console.log(`Directus, seed ${seed}: ${JSON.stringify(counts)}`)
      expect(stale).toEqual([])
      // Most lists here show two fields of an entry, and each edit of the collection purges them: see the guide.
      expect(counts.right).toBeGreaterThan(0)
    } finally {
      await close()
      site.close()
    }
  },
  rounds(1_800_000),
)
