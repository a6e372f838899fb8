import { createClient } from 'redis'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const client = createClient({ url: process.env.REDIS_URL ?? '' })
client.on('error', () => {})
if (process.env.NEXT_PHASE !== 'phase-production-build') client.connect().catch(() => {})

export const shared = { store: redisStore({ client, timeout: 500 }), tagIndex: redisTagIndex({ client, timeout: 500 }) }
