import { createClient } from 'redis'
import { createResponseCache } from 'sitewright/cache'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const { REDIS_URL = 'redis://localhost:6379', RELEASE } = process.env
export const client = createClient({ url: REDIS_URL, disableOfflineQueue: true })
client.on('error', (error) => console.error('Redis:', error.message))
client.connect().catch(() => {}) // it goes on trying; until then, pages are rendered

export const cache = createResponseCache({
  store: redisStore({ client }),
  tagIndex: redisTagIndex({ client }),
  release: RELEASE, // pages name the scripts and styles of their own build
})
