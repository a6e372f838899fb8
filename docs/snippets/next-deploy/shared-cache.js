import { createClient } from 'redis'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const client = createClient({ url: process.env.REDIS_URL ?? '' })
client.on('error', (error) => console.error('Redis:', error.message))
// Not awaited: while Redis is down, pages are rendered. `next dev` and `next build` may do without.
if (process.env.REDIS_URL) client.connect().catch(() => {})

export const store = redisStore({ client })
export const tagIndex = redisTagIndex({ client })
