import { createClient } from 'redis'
import { createCacheHandler } from 'sitewright/next-cache'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const client = createClient({ url: process.env.REDIS_URL ?? '', disableOfflineQueue: true })
client.on('error', () => {})
// During the build, too.
client.connect().catch(() => {})

export default createCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
