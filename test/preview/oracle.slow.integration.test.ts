import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { diskStore, diskTagIndex } from '../../adapters/disk/index.js'
import { redisStore, redisTagIndex } from '../../adapters/redis/index.js'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { memoryStore, memoryTagIndex, type ResponseCacheOptions } from '../../core/cache/index.js'
import { createRandom } from '../../core/content/testing/graph.js'
import { startNginx } from '../cache/nginx.js'
import { rounds } from '../setup/rounds.js'
import { nginxRules, visit } from './oracle.js'
import { servers, startSite } from './sites.js'

// 20,000 requests in all, directly and through nginx, which has the rule of the guide.

let directory: string
let redis: Awaited<ReturnType<typeof startRedis>>
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sitewright-preview-'))
  redis = await startRedis()
  client = await createClient({ url: `redis://127.0.0.1:${redis.port}` }).connect()
})
afterAll(async () => {
  await client?.close()
  await redis?.stop()
  await rm(directory, { recursive: true, force: true })
})

const stores: Record<string, (name: string) => Pick<ResponseCacheOptions, 'store' | 'tagIndex'>> = {
  memory: () => ({ store: memoryStore({ maxBytes: 1e6 }), tagIndex: memoryTagIndex() }),
  disk(name) {
    const folder = join(directory, name)
    return {
      store: diskStore({ directory: join(folder, 'pages'), maxBytes: 1e7 }),
      tagIndex: diskTagIndex({ directory: folder }),
    }
  },
  Redis: (name) => ({ store: redisStore({ client, prefix: name }), tagIndex: redisTagIndex({ client, prefix: name }) }),
}
const cases = Object.keys(servers).flatMap((server) => Object.keys(stores).map((store) => [server, store] as const))

it.each(cases)(
  'on %s with pages in %s and nginx, no draft is in an answer without a valid cookie',
  async (name, kind) => {
    const site = await startSite(name, (stores[kind] as (typeof stores)[string])(name))
    const nginx = await startNginx(site.url, nginxRules)
    await vi.waitFor(() => fetch(nginx.url), 20_000)
    try {
      const { pick } = createRandom(cases.findIndex((each) => each[0] === name && each[1] === kind))
      const purge = () => site.cache.invalidate([pick(['document', '/'])], { mode: pick(['hard', 'soft'] as const) })
      const target = { urls: [site.url, nginx.url], preview: site.preview, purge }
      expect(await visit(target, rounds(3400), pick)).toBeGreaterThan(0)
    } finally {
      await nginx.stop()
      await site.close()
    }
  },
  240_000,
)
