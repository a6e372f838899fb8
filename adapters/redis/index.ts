export type { IoRedisClient, NodeRedisClient, RedisClient } from './client.js'
export { type RedisStoreOptions, redisStore } from './store.js'
export type { RedisSubscriber } from './subscription.js'
export { type RedisTagIndex, type RedisTagIndexOptions, redisTagIndex } from './tag-index.js'
