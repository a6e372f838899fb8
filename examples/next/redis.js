// Store and tag index that all instances share when REDIS_URL is set.
import { createClient } from 'redis'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const client = createClient({ url: process.env.REDIS_URL ?? '' })
client.on('error', (error) => console.error('Redis is down:', error.message || error.code))
// Not awaited: while Redis is down, pages are rendered. `next build` may do without.
if (process.env.REDIS_URL) client.connect().catch(() => {})

export const store = redisStore({ client })
export const tagIndex = redisTagIndex({ client })
