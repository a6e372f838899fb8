import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'redis'
import { createResponseCache, memoryStore, memoryTagIndex, type ResponseCache, type TagIndex } from 'sitewright/cache'
import { redisStore, redisTagIndex } from 'sitewright/redis'
import { readRedisUrl } from '../../serve/redis-url.js'

export interface SiteCache {
  pages: ResponseCache
  /** Knows what was purged: by this server or, with Redis, by any of them. */
  tagIndex: TagIndex
  /** Where pages are kept, in words for the operator. */
  place: string
  close(): void
}

/** The tag of everything that is made of the content. */
export const documentTag = 'document'

/**
 * Creates the cache of the site's pages: in memory, or in the Redis that `REDIS_URL` names, for several servers. The
 * site does not wait for Redis: while it is away, pages are rendered.
 *
 * @param build Where the build wrote `app.js`.
 * @throws TypeError when `REDIS_URL` is no address.
 */
export async function createSiteCache(build: string, env: NodeJS.ProcessEnv): Promise<SiteCache> {
  const url = readRedisUrl(env)
  if (!url || import.meta.env.DEV) {
    const tagIndex = memoryTagIndex()
    const pages = createResponseCache({
      store: memoryStore({ maxBytes: 64 * 1024 * 1024 }),
      tagIndex,
      tags: [documentTag],
    })
    return { pages, tagIndex, place: 'in memory', close() {} }
  }
  const client = createClient({ url, disableOfflineQueue: true })
  client.on('error', sparingly(60_000))
  client.connect().catch(() => {}) // it goes on trying, and says so by `error`
  const tagIndex = redisTagIndex({ client })
  // While a new version is rolled out, both run: each keeps its own pages, since they name its own stylesheets.
  const store = redisStore({ client, prefix: `sitewright:${await digestOf(join(build, 'app.js'))}` })
  return {
    pages: createResponseCache({ store, tagIndex, tags: [documentTag] }),
    tagIndex,
    place: `Redis at ${new URL(url).host}`,
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

/** Logs an error, but not each of the many that a Redis which is away leads to. */
function sparingly(milliseconds: number): (error: Error) => void {
  let silentUntil = 0
  return (error) => {
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + milliseconds
    console.error(`Redis: ${error.message || error}`)
  }
}
