import { expect, it } from 'vitest'
import { contentSources } from '../../adapters/webhooks/index.js'
import { createRandom } from '../../core/content/testing/graph.js'
import { rounds } from '../setup/rounds.js'
import { startSite } from './site.js'
import { editStrapi, seedStrapi, startStrapi, strapiQueries } from './strapi.js'

const seed = Number(process.env.SEED ?? 1)

// ROUNDS=10 is 200 edits.
it(
  'beside a real Strapi, no page differs from a fresh render after the webhook of an edit',
  async () => {
    const site = await startSite(contentSources.strapi, 'strapi')
    const { url, send, close } = await startStrapi(site.url)
    try {
      const ids = await seedStrapi(send, seed)
      const random = createRandom(seed)
      const { stale, ...counts } = await site.check(
        strapiQueries(url, ids, seed, 80),
        rounds(20),
        (index) => editStrapi(send, ids, random, index),
        (name) => send('POST', 'markers', { name }),
      )
      console.log(`Strapi, seed ${seed}: ${JSON.stringify(counts)}`)
      expect(stale).toEqual([])
      expect(counts.exactNeedless).toBeLessThanOrEqual(counts.exactRight)
    } finally {
      await close()
      site.close()
    }
  },
  300_000 + rounds(200_000),
)
