import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'redis'
import { memoryStore, memoryTagIndex, type Store, type TagIndex } from 'sitewright/cache'
import { redisStore, redisTagIndex } from 'sitewright/redis'
import { readRedisUrl } from '../../serve/redis-url.js'

export interface Stores {
  /** The stored pages, and the purges of this server or, with Redis, of any server. */
  stores: { store: Store; tagIndex: TagIndex }
  /** Where pages are stored, for the start message. */
  location: string
  close(): void
}

/**
 * Opens the stores of the site's pages: in memory, or in Redis at `REDIS_URL`, for several servers. The site does not
 * wait for Redis: while it is unavailable, pages are rendered.
 *
 * @param build Folder in which the build wrote `app.js`.
 * @throws TypeError when `REDIS_URL` is not a Redis URL.
 */
export async function openStores(build: string, env: NodeJS.ProcessEnv): Promise<Stores> {
  const url = readRedisUrl(env)
  if (!url || import.meta.env.DEV) {
    const stores = { store: memoryStore({ maxBytes: 64 * 1024 * 1024 }), tagIndex: memoryTagIndex() }
    return { stores, location: 'in memory', close() {} }
  }
  const client = createClient({ url, disableOfflineQueue: true })
  client.on('error', (error: Error) => console.error('Redis: connection failed:', error.message || String(error)))
  client.connect().catch(() => {}) // retries by itself, and emits `error`
  const tagIndex = redisTagIndex({ client })
  // During a rollout two versions run. Each stores its own pages, since they link to its own stylesheets.
  const store = redisStore({ client, prefix: `sitewright:${await digestOf(join(build, 'app.js'))}` })
  return {
    stores: { store, tagIndex },
    location: `Redis at ${new URL(url).host}`,
    close() {
      tagIndex.close()
      client.destroy()
    },
  }
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('base64url')
    .slice(0, 12)
}
