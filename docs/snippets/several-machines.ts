import { createClient } from 'redis'
import { createResponseCache } from 'sitewright/cache'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const { REDIS_URL = 'redis://localhost:6379', RELEASE = 'development' } = process.env
export const client = createClient({ url: REDIS_URL, disableOfflineQueue: true })
client.on('error', (error) => console.error('Redis:', error.message))
client.connect().catch(() => {}) // it goes on trying; until then, pages are rendered

export const cache = createResponseCache({
  // Pages of one release link to its own stylesheets; what was purged counts for all.
  store: redisStore({ client, prefix: `site:${RELEASE}` }),
  tagIndex: redisTagIndex({ client }),
})
