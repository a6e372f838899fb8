import { createCacheHandler } from 'sitewright/next-cache'
import { store, tagIndex } from './redis.js'

export default createCacheHandler({ store, tagIndex })
