import { afterEach, expect, it } from 'vitest'
import { memoryStore } from '../../core/cache/index.js'
import { createRandom } from '../../core/content/testing/graph.js'
import { rounds } from '../setup/rounds.js'
import { visit } from './oracle.js'
import { servers, startSite } from './sites.js'

let site: Awaited<ReturnType<typeof startSite>>
afterEach(() => site.close())

it.each(Object.keys(servers))(
  'on %s, a draft is in no answer without a valid cookie, and in each with one',
  async (name) => {
    site = await startSite(name, { store: memoryStore({ maxBytes: 1e6 }) })
    const { pick } = createRandom(1)
    const purge = () => site.cache.invalidate([pick(['document', '/'])], { mode: pick(['hard', 'soft'] as const) })
    expect(await visit({ urls: [site.url], preview: site.preview, purge }, rounds(250), pick)).toBeGreaterThan(0)
  },
)
