export type { IoRedisClient, NodeRedisClient, RedisClient, RedisSubscriber } from './client.js'
export { type RedisStoreOptions, redisStore } from './store.js'
export { type RedisTagIndex, type RedisTagIndexOptions, redisTagIndex } from './tag-index.js'
